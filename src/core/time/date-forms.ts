/** The forms in which texts write a date: a question says "October 13, 2023", a title "13 October, 2023". */
import { grammarsFor } from './languages.ts'
import { ordinalOf, yearOf } from './pattern.ts'
import { wordsOf } from './words.ts'

/** Phrases of the same day, month or year in other orders, without the words around them; empty for other times. */
export function dateForms(text: string): readonly string[] {
  const words = wordsOf(text)
  const [grammar] = grammarsFor(words)
  let [day, month, year] = ['', '', '']
  let names = 0
  for (const word of words) {
    const { month: full, shortMonth } = grammar?.vocabulary.get(word.word) ?? {}
    if (yearOf(word) !== undefined) [year, names] = [word.word, names + 1]
    else if (full !== undefined || shortMonth !== undefined) [month, names] = [word.word, names + 1]
    else if (word.number !== null || ordinalOf(word.word) !== null)
      [day, names] = [String(word.number ?? ordinalOf(word.word)), names + 1]
  }
  // Several dates, or digits: the text itself is the phrase.
  if (names !== [day, month, year].filter((part) => part !== '').length || (month === '' && day !== '')) return []
  const forms = [
    [day, month, year],
    [month, day, year],
    day === '' || year === '' ? [] : [day, month],
    day === '' || year === '' ? [] : [month, day],
  ]
  const phrases = forms.map((form) => form.filter((part) => part !== '').join(' ')).filter((form) => form !== '')
  return [...new Set(phrases)]
}
