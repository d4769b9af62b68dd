/** Tests which sentence of a note the notes app shows as the answer. */
import { describe, expect, test } from 'vitest'
import { answeringSentence } from '../../../demo/notes/model/answer-line.ts'
import type { Hit } from '../../../src/index.ts'

describe('the sentence that answers', () => {
  test('has the most words of the question, and none of Markdown', () => {
    const body =
      'We saw the flat in May.\n\n- [x] The **deposit** for the [flat](https://a.example) is 2,400 euro. #home\n- Rent'
    expect(shown(body, 'deposit', 'flat')).toBe('The deposit for the flat is 2,400 euro.')
  })

  test('may be about its heading; headings and questions do not answer', () => {
    const body = '# Deposit\n\nHow high is the deposit? 2,400 euro, paid in March.\n\n# Keys\n\nTwo.'
    expect(shown(body, 'deposit')).toBe('2,400 euro, paid in March.')
  })

  test('goes on over a broken line and after an abbreviation or an ordinal', () => {
    const line =
      'The appointment with Dr. Weiss is on the 5. December, and we bring\nthe letter of the school. Nothing else.'
    expect(shown(line, 'appointment', 'school')).toBe(
      'The appointment with Dr. Weiss is on the 5. December, and we bring the letter of the school.',
    )
  })

  test('counts the forms of a word once', () => {
    expect(shown('Invoice, invoices, invoiced. The piano invoice is paid.', 'invoice', 'piano')).toBe(
      'The piano invoice is paid.',
    )
  })

  test('is the only sentence if the words are in the title; of several, none is chosen', () => {
    expect(shown('2,400 euro, paid in March. #home')).toBe('2,400 euro, paid in March.')
    expect(shown('2,400 euro. Paid in March.')).toBeNull()
    expect(shown('')).toBeNull()
    expect(shown('#home')).toBeNull()
  })

  test('is cut between words', () => {
    const sentence = shown(`The deposit ${'is very high '.repeat(40)}`, 'deposit')
    expect(sentence).toMatch(/^The deposit is .*(?:is|very|high) …$/)
    expect(sentence?.length).toBeLessThanOrEqual(242)
  })
})

function shown(body: string, ...words: readonly string[]): string | null {
  const found = words.length === 0 ? [] : [...body.matchAll(new RegExp(`(?:${words.join('|')})\\p{L}*`, 'giu'))]
  const marks = { body: found.map(({ index, 0: word }) => [index, index + word.length] as const) }
  return answeringSentence({ record: { body } as Hit['record'], marks })
}
