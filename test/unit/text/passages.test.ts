/** Checks the cutting of long texts into passages: every letter is in one, and their borders are those of the text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passageLengths, splitPassages } from '../../../src/core/text/passages/split-passages.ts'
import { sentenceStarts } from '../../../src/core/text/passages/sentences.ts'
import { sized } from '../../support/data/sized.ts'

const textsOf = (text: string) => splitPassages(text).map(({ from, to }) => text.slice(from, to))
const sentencesOf = (text: string) =>
  sentenceStarts(text, 0, text.length).map((from, i, starts) => text.slice(from, starts[i + 1] ?? text.length).trim())

describe('passages', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '# Head\n',
      '\n\n',
      '\n',
      '```\n',
      '- item\n',
      '| a | b |\n',
      '. ',
      '。',
      '! ',
      'x'.repeat(1200),
      'word '.repeat(300),
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.lorem({ mode: 'sentences', maxCount: 12 }),
  )

  test('[G5] every letter is in a passage, in order; a short text is one', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const passages = splitPassages(text)
        expect(passages[0]!.from).toBe(0)
        expect(passages.at(-1)!.to).toBe(text.length)
        for (const [i, { from, to }] of passages.entries()) {
          if (i === 0) continue
          const before = passages[i - 1]!
          expect(from).toBeGreaterThan(before.from)
          expect(from).toBeLessThanOrEqual(before.to)
          expect(to).toBeGreaterThan(before.to)
        }
        if (text.length <= passageLengths.whole) expect(passages).toHaveLength(1)
        expect(splitPassages(text)).toEqual(passages)
      }),
      { numRuns: sized(200) },
    )
  })

  test('[G5] a passage ends with a sentence', () => {
    const text = Array.from(
      { length: 60 },
      (_, i) => `Sentence ${i} tells of Dr. Smith, who paid 3.50 for no. ${i}, e.g. in May.`,
    ).join(' ')
    const passages = textsOf(text)
    expect(passages.length).toBeGreaterThan(3)
    for (const passage of passages) expect(passage.trim()).toMatch(/^Sentence .*in May\.$/s)
    expect(passages.join('')).toBe(text)
  })

  test('[G5] headings stay with what follows; code, items and rows are whole', () => {
    const prose = 'Plain words of a paragraph that says little. '.repeat(18)
    const code = `\`\`\`sh\n${'run --this "and that"\n'.repeat(20)}\`\`\`\n`
    const items = Array.from({ length: 48 }, (_, i) => `- item ${i} with some words. And more\n`).join('')
    const rows = Array.from({ length: 80 }, (_, i) => `| row ${i} | value ${i * 7} |\n`).join('')
    const text = `# First\n\n${prose}\n\n## Second\n\n${prose}\n\n${code}\n${items}\nThird\n-----\n\n${prose}\n${rows}`
    const passages = splitPassages(text)
    const [first, second] = passages
    expect([first!.heading, second!.heading]).toEqual(['First', 'Second'])
    expect(text.slice(second!.from)).toMatch(/^## Second/)
    expect(textsOf(text).filter((passage) => passage.includes('```'))).toHaveLength(1)
    expect(passages.find(({ from }) => text.startsWith('Third', from))!.heading).toBe('Third')
    for (const { from } of passages) expect(['#', 'P', '`', '-', 'T', '|']).toContain(text[from])
    expect(passages.at(-1)!.heading).toBe('Third')
  })

  test('[G5] a sentence that is too long is cut between words, and the parts overlap', () => {
    const text = Array.from({ length: 1000 }, (_, i) => `word${i}`).join(' ')
    const passages = splitPassages(text)
    for (const [i, { from, to }] of passages.entries()) {
      expect(text.slice(from)).toMatch(/^word/)
      if (i > 0) expect(passages[i - 1]!.to - from).toBeGreaterThanOrEqual(passageLengths.overlap)
      expect(to - from).toBeLessThanOrEqual(passageLengths.most + passageLengths.least)
    }
  })

  test('control: without the rule for abbreviations sentences end inside', () => {
    expect(sentencesOf('He met Dr. Smith. She left.')).toEqual(['He met Dr. Smith.', 'She left.'])
    expect('He met Dr. Smith. She left.'.split(/(?<=\.) /)).toHaveLength(3)
  })

  test.each([
    ['Wir treffen uns am 3. Mai um 14.30 Uhr. Danach essen wir z. B. Suppe.', 2],
    ['「今日は雨です。」と言った。明日は晴れ。', 3],
    ['Is it? Yes! "Really." It ended… Then more.', 5],
    ['Anna: Hi there\nBen: Hello Anna\nAnna: How are you', 3],
    [
      'A paragraph that is broken into lines, each of\nwhich is long enough to be one of several. The\nnext sentence.',
      2,
    ],
  ])('sentences of %j', (text, count) => {
    expect(sentencesOf(text)).toHaveLength(count)
  })
})
