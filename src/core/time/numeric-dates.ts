/** Dates in digits, in any language: 2026-11-03, 15.11.2026, 15/11/2026, 11/2026, Q2 2026, 2026-W46. */
import { withPlainDigits } from '../text/tokenise/compatible-letters.ts'
import { daysIn } from './calendar.ts'
import { type Found, yearOf } from './pattern.ts'
import { dateIn, type Period, weekOf } from './period.ts'
import { beginsWithDigit, type Word } from './words.ts'

export interface NumericDate {
  /** Index of the first word after the date. */
  readonly end: number
  readonly period: Period
  /** A month and a year, 10/2026: may also be a part or a number of pages. */
  readonly isMonth?: true
}

/**
 * A date in digits that begins with the word at `at`. `dayFirst`: 3/11 is 3 November; otherwise the order of two numbers below 13
 * is not known, and nothing is read.
 */
export function numericDateAt(text: string, words: readonly Word[], at: number, dayFirst: boolean): NumericDate | null {
  return quarterAt(words, at) ?? digitsAt(text, words, at, dayFirst)
}

/** The quarter that a word names: Q2, T2, 2T. */
export function quarterOf({ word }: Word): number | null {
  if (word.length !== 2) return null
  const found = /^(?:[qt]([1-4])|([1-4])t)$/.exec(word)
  return found === null ? null : Number(found[1] ?? found[2])
}

function quarterAt(words: readonly Word[], at: number): NumericDate | null {
  const [first, second] = [words[at]!, words[at + 1]]
  // A quarter and a year: two and four signs, in either order.
  if (second === undefined || first.word.length + second.word.length !== 6 || !second.joined) return null
  const quarter = quarterOf(first) ?? quarterOf(second)
  const year = yearOf(first) ?? yearOf(second)
  const period = quarter === null || year === undefined ? null : dateIn(year, { quarter } satisfies Found)
  return period === null ? null : { end: at + 2, period }
}

const forms =
  /(?:(\d{4})-W(\d{2})|(\d{4})([-/])(\d{1,2})(?:\4(\d{1,2})(?:T[\d:.]{4,12}(?:Z|[+-]\d\d:?\d\d)?)?)?|(\d{1,2})([./-])(\d{1,2})\8(\d{4})|(\d{1,2})\/(\d{4}))/y

function digitsAt(text: string, words: readonly Word[], at: number, dayFirst: boolean): NumericDate | null {
  const { from, word } = words[at]!
  if (!beginsWithDigit(word) || word.length > 4 || isPart(text[from - 1])) return null
  forms.lastIndex = from
  const found = forms.exec(text)
  if (found === null) return null
  const to = forms.lastIndex
  if (isPart(text[to]) || ((text[to] === '.' || text[to] === ':') && isDigit(text[to + 1]))) return null
  const period = periodOf(found, dayFirst)
  if (period === null) return null
  let end = at
  while (end < words.length && words[end]!.from < to) end++
  return { end, period, ...(found[11] === undefined ? {} : { isMonth: true as const }) }
}

const eastForm = /^(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/u
const longestEastern = 24

/** 6月3日, 2026年6月3日, 6월 7일; the year may be missing. And `27.5.` as a whole text. */
export function eastDateAt(
  text: string,
  words: readonly Word[],
  at: number,
): { readonly end: number; readonly found: Found } | null {
  const { from, word } = words[at]!
  const bare = at === 0 ? /^\s*(\d{1,2})\. ?(\d{1,2})\.\s*$/.exec(text) : null
  if (bare !== null && inCalendar(2024, Number(bare[2]), Number(bare[1])) !== null)
    return { end: words.length, found: { date: Number(bare[1]), month: Number(bare[2]) } }
  // A longer text would be read for each of its words.
  const read = beginsWithDigit(word) ? eastForm.exec(withPlainDigits(text.slice(from, from + longestEastern))) : null
  const [written, year, month, date] = read ?? []
  if (written === undefined || inCalendar(Number(year ?? 2024), Number(month), Number(date)) === null) return null
  let end = at
  while (end < words.length && words[end]!.from < from + written.length) end++
  return {
    end,
    found: { month: Number(month), date: Number(date), ...(year === undefined ? {} : { year: Number(year) }) },
  }
}

const dayForm = /(\d{1,2})([./])(\d{1,2})(\.?)(?![\w/%])(?![.,:-]\d)/y

/**
 * A day and a month in digits. With a point in German texts: 22.04 is a version elsewhere; `isOn`: after "am", where the second point may be
 * missing. With a slash in the others; in English only if one of the numbers cannot be a month, and never 24/7. Without the second point one of them
 * has two digits: 1/2 is a half.
 */
export function dayInDigits(
  text: string,
  { from }: Word,
  { tag, dayFirst, isOn }: { readonly tag: string; readonly dayFirst: boolean; readonly isOn: boolean },
): Found | null {
  dayForm.lastIndex = from
  const found = isPart(text[from - 1]) ? null : dayForm.exec(text)
  if (found === null) return null
  const [written, first, sign, second, point] = found
  const isGerman = tag === 'de'
  const isBare = point === '' && first!.length + second!.length < 3
  if ((sign === '.') !== isGerman || isBare || (isGerman && !isOn && point === '') || written === '24/7') return null
  const [a, b] = [Number(first), Number(second)]
  const isDayFirst = tag !== 'en' || dayFirst || a > 12 || a === b
  if (!isDayFirst && b <= 12) return null
  const [date, month] = isDayFirst ? [a, b] : [b, a]
  return date < 1 || month < 1 || month > 12 || date > daysIn(2024, month) ? null : { date, month }
}

function periodOf(found: RegExpExecArray, dayFirst: boolean): Period | null {
  const [, weekYear, week, year, sign, month, date, first, otherSign, second, lastYear, only, ofYear] = found
  if (weekYear !== undefined) return weekOf(Number(weekYear), Number(week))
  if (year !== undefined) {
    if (date === undefined) return sign === '-' && month!.length === 2 ? inCalendar(Number(year), Number(month)) : null
    return inCalendar(Number(year), Number(month), Number(date))
  }
  if (only !== undefined) return inCalendar(Number(ofYear), Number(only))
  const [a, b] = [Number(first), Number(second)]
  if (dayFirst || otherSign === '.' || a > 12 || a === b) return inCalendar(Number(lastYear), b, a)
  return b > 12 ? inCalendar(Number(lastYear), a, b) : null
}

function inCalendar(year: number, month: number, date?: number): Period | null {
  if (year < 1900 || year > 2099 || month < 1 || month > 12) return null
  if (date === undefined) return dateIn(year, { month })
  return date < 1 || date > daysIn(year, month) ? null : dateIn(year, { month, date })
}

/** Whether the sign next to a date makes it part of a name or path. */
function isPart(sign: string | undefined): boolean {
  return sign !== undefined && /[\w./\\_+#:@=-]/.test(sign) && sign !== '.' && sign !== ':'
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= '0' && sign <= '9'
}
