/** What the reader works on, and what it finds at a place of a text. */
import type { Unit } from './languages/language.ts'
import type { Grammar } from './languages.ts'
import type { DayOfMonth, Now, Period } from './period.ts'
import type { Word } from './words.ts'

export interface Context {
  readonly text: string
  readonly words: readonly Word[]
  readonly now: Now
  /** Null for a text of no known language: only dates in digits are read. */
  readonly grammar: Grammar | null
  /** Whether 3/11 is 3 November; otherwise it may be 11 March, and is not read. */
  readonly dayFirst: boolean
}

export interface Expression {
  /** Indexes of words [first, end). */
  readonly first: number
  readonly end: number
  readonly period: Period
  /** The same date in another year; absent if the text names the year. */
  readonly inYear?: (year: number) => Period | null
  /** The calendar unit that it is: last week, two years ago. */
  readonly unit?: Unit
  readonly weekday?: number
  /** A day of a month without its month: "on the 13th". */
  readonly dayOfMonth?: DayOfMonth
  /** The same a week later is the next: "on Friday evening". */
  readonly isWeekly?: true
  /** The last part of a period: "the end of May". */
  readonly isLate?: boolean
}

export function longest(expressions: readonly (Expression | null)[]): Expression | null {
  let best: Expression | null = null
  for (const found of expressions) if (found !== null && (best === null || found.end > best.end)) best = found
  return best
}

/** In Portuguese, where ordinals name weekdays. */
export const weekdayEnding = 'feira'
