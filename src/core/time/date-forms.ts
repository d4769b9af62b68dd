/** The forms in which texts write a date: a question says "October 13, 2023", a title "13 October, 2023". */
import { tuning } from '../model/tuning.ts'
import { dateOf, dayOf } from './calendar.ts'
import { en } from './languages/en.ts'
import { grammarsFor } from './languages.ts'
import { ordinalOf, yearOf } from './pattern.ts'
import type { LocalSpan } from './read-times.ts'
import { dayInWords, wordsOf } from './words.ts'

/**
 * Phrases of the same day, month or year in other orders and in digits, without the words around them; empty for other times. `local`: the time
 * as clocks show it, if its year is named.
 */
export function dateForms(
  text: string,
  local: LocalSpan | null = null,
  preferred: readonly string[] = [],
): readonly string[] {
  const words = wordsOf(text)
  const [grammar] = grammarsFor(words, preferred)
  const isEnglish = grammar === undefined ? !preferred.some((tag) => tag !== 'en') : grammar.language.tag === 'en'
  return [...new Set([...writtenForms(text), ...(local === null ? [] : digitForms(local, isEnglish))])]
}

/** Of a whole day, month or year. */
function digitForms([from, before]: LocalSpan, isEnglish: boolean): readonly string[] {
  if (from === null || before === null || from % msPerDay !== 0) return []
  const { year, month, date } = dateOf(from / msPerDay)
  const name = englishMonths[month - 1]!
  const two = (number: number) => String(number).padStart(2, '0')
  if (before - from === msPerDay) {
    const [m, d, mm, dd] = [String(month), String(date), two(month), two(date)]
    const dayFirst = [`${dd} ${mm} ${year}`, `${d} ${m} ${year}`]
    const monthFirst = [`${mm} ${dd} ${year}`, `${m} ${d} ${year}`]
    return [
      `${year} ${mm} ${dd}`,
      `${year} ${m} ${d}`,
      `${year}${mm}${dd}`,
      // 3/11 is written in both orders, and another day in one of them.
      ...(date > 12 || date === month || !isEnglish ? dayFirst : []),
      ...(date > 12 || isEnglish ? monthFirst : []),
      `${d} ${name} ${year}`,
      `${name} ${d} ${year}`,
    ]
  }
  if (date !== 1 || before !== dayOf(year, month + 1, 1) * msPerDay) return []
  return [`${year} ${two(month)}`, `${two(month)} ${year}`, `${name} ${year}`]
}

const { msPerDay } = tuning
const englishMonths = en.months.split(' ')

function writtenForms(text: string): readonly string[] {
  const words = wordsOf(text)
  const [grammar] = grammarsFor(words)
  let [day, month, year] = ['', '', '']
  let names = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const { month: full, shortMonth } = grammar?.vocabulary.get(word.word) ?? {}
    const inWords = grammar === undefined ? null : dayInWords(words, i, grammar.vocabulary)
    if (yearOf(word) !== undefined) [year, names] = [word.word, names + 1]
    else if (full !== undefined || shortMonth !== undefined) [month, names] = [word.word, names + 1]
    else if (word.number !== null || ordinalOf(word.word) !== null)
      [day, names] = [String(word.number ?? ordinalOf(word.word)), names + 1]
    else if (inWords !== null) [day, names, i] = [String(inWords.date), names + 1, inWords.end - 1]
  }
  // Several dates, digits, or a part of a year: the text itself is the phrase.
  if (names !== [day, month, year].filter((part) => part !== '').length || (month === '' && words.length > 1)) return []
  const forms = [
    [day, month, year],
    [month, day, year],
    day === '' || year === '' ? [] : [day, month],
    day === '' || year === '' ? [] : [month, day],
  ]
  const phrases = forms.map((form) => form.filter((part) => part !== '').join(' ')).filter((form) => form !== '')
  return [...new Set(phrases)]
}
