/**
 * Finds times that repeat: "every Monday and Thursday", "on the 1st of every month", "weekdays", "every second Friday". A rule is a short text,
 * because it is stored with the record.
 */
import { dateOf, daysIn, weekdayOf } from './calendar.ts'
import type { Repeat } from './languages/language.ts'
import type { Grammar } from './languages.ts'
import { type Found, matchAt } from './pattern.ts'
import { beginsWithDigit, type Word } from './words.ts'

/**
 * `w1,4`: each Monday and Thursday. `b5`: every second Friday. `m15`: the 15th of a month; `m32`: its last day. `n2,5`: its second
 * Friday; `n5,5`: its last one. `y12-24`: each 24 December.
 */
export type Rule = string

export interface Repetition {
  /** Indexes of words [first, end). */
  readonly first: number
  readonly end: number
  readonly rule: Rule
}

export function repetitionsIn(words: readonly Word[], grammar: Grammar): readonly Repetition[] {
  const found: Repetition[] = []
  for (let i = 0; i < words.length; ) {
    const here = repetitionAt(words, i, grammar)
    if (here !== null) found.push(here)
    i = here === null ? i + 1 : here.end
  }
  return found
}

function repetitionAt(words: readonly Word[], at: number, grammar: Grammar): Repetition | null {
  const plural = grammar.weekdayPlurals.get(words[at]!.word)
  let best = plural === undefined ? null : weekly(words, at, at + 1, [plural], grammar)
  for (const { pattern, repeat } of beginningAt(words[at]!, grammar)) {
    const match = matchAt(pattern, words, at, grammar.vocabulary)
    if (match === null || (best !== null && match.end <= best.end)) continue
    const { weekday } = match.found
    if (repeat === 'weekly') best = weekly(words, at, match.end, weekday === undefined ? [] : [weekday], grammar)
    else {
      const rule = ruleOf(repeat, match.found)
      if (rule !== null) best = { first: at, end: match.end, rule }
    }
  }
  return best
}

/** The patterns that can begin at this word: by the word, or by its digits. */
function beginningAt(word: Word, { repeats }: Grammar) {
  if (!beginsWithDigit(word.word)) return repeats.get(word.word) ?? []
  return [...(repeats.get('DAY') ?? []), ...(repeats.get('QUARTER') ?? [])]
}

/** With the days that follow: "every Monday, Wednesday and Friday". */
function weekly(
  words: readonly Word[],
  first: number,
  from: number,
  days: readonly number[],
  grammar: Grammar,
): Repetition | null {
  const all = [...days]
  let end = from
  for (let i = from; words[i]?.joined === true; i++) {
    const { word } = words[i]!
    const day = grammar.weekdayPlurals.get(word) ?? grammar.vocabulary.get(word)?.weekday
    if (day !== undefined) {
      all.push(day)
      end = i + 1
    } else if (!grammar.and.has(word)) break
  }
  return all.length === 0 ? null : { first, end, rule: `w${[...new Set(all)].sort().join(',')}` }
}

function ruleOf(repeat: Exclude<Repeat, 'weekly'>, { weekday, date, month, quarter }: Found): Rule | null {
  switch (repeat) {
    case 'biweekly':
      return `b${weekday}`
    case 'weekdays':
      return 'w1,2,3,4,5'
    case 'weekends':
      return 'w6,7'
    case 'daily':
      return 'w1,2,3,4,5,6,7'
    case 'monthDay':
      return `m${date}`
    case 'lastDay':
      return 'm32'
    case 'nthWeekday':
      return `n${quarter},${weekday}`
    case 'lastWeekday':
      return `n5,${weekday}`
    case 'yearly':
      return month === undefined || date === undefined ? null : yearlyRule(month, date)
  }
}

export function yearlyRule(month: number, date: number): Rule {
  return `y${month}-${date}`
}

/** The first day in [from, before) on which it is, counted from 1970-01-01; null if there is none. `start`: the day of the text. */
export function firstOccurrence(rule: Rule, start: number, from: number, before: number): number | null {
  const numbers = rule.slice(1).split(/[,-]/).map(Number)
  const first = Math.max(start, from)
  const last = Math.min(before, first + mostDays)
  for (let day = first; day < last; day++) if (isOn(rule[0]!, numbers, day, start)) return day
  return null
}

/** The longest that is looked ahead: a leap day is looked for in one year only. */
const mostDays = 367

function isOn(kind: string, numbers: readonly number[], day: number, start: number): boolean {
  const [one = 0, two = 0] = numbers
  const weekday = weekdayOf(day)
  if (kind === 'w') return numbers.includes(weekday)
  // From the first such day after the text was written.
  if (kind === 'b') return weekday === one && (day - start - ((one - weekdayOf(start) + 7) % 7)) % 14 === 0
  const { year, month, date } = dateOf(day)
  const length = daysIn(year, month)
  if (kind === 'm') return date === (one === 32 ? length : one)
  if (kind === 'y') return month === one && date === two
  return weekday === two && (one === 5 ? date > length - 7 : Math.ceil(date / 7) === one)
}
