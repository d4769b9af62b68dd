/** Makes periods from a preposition and a date ("since May"), and from the two dates of a range. */
import type { Relation } from './languages.ts'
import type { Period } from './period.ts'

export interface DatedPeriod {
  readonly period: Period
  /** The same date in another year; absent if the text names the year. */
  readonly inYear?: (year: number) => Period | null
}

/** Null if the date has no such side. "Before the end of May" holds that end: `isLate`. */
export function related(relation: Relation, { from, before, ...period }: Period, isLate = false): Period | null {
  switch (relation) {
    case 'since':
      // "Dal 5 al 7 maggio": the days, not all that follows.
      if (period.ranged === true) return { ...period, from, before }
      return from === null ? null : { ...period, from, before: null }
    case 'before':
      return from === null ? null : { ...period, from: null, before: isLate ? before : from }
    case 'after':
      return before === null ? null : { ...period, from: before, before: null }
    case 'until':
      return before === null ? null : { ...period, from: null, before }
    default:
      return { ...period, from, before }
  }
}

/** From the beginning of one date to the end of another. A date without a year takes the year that makes the range go forwards. */
export function between(first: DatedPeriod, last: DatedPeriod): Period | null {
  const { from } = first.period
  const { before } = last.period
  if (from === null || before === null) return null
  const rest = { ...first.period, ...last.period, ranged: true as const }
  if (first.inYear !== undefined && last.inYear === undefined) {
    const year = yearAt(before)
    const candidates = [year, year - 1].map((y) => first.inYear!(y)?.from ?? null)
    const start = candidates.find((at) => at !== null && at < before)
    return start === undefined || start === null ? null : { ...withoutGuess(rest), from: start, before }
  }
  if (from < before) return { ...rest, from, before }
  if (last.inYear === undefined) return null
  const end = last.inYear(yearAt(from + 1) + 1)?.before ?? null
  return end === null || end <= from ? null : { ...rest, from, before: end }
}

/** The year of a local time, to a day: enough to choose between years. */
function yearAt(localMs: number): number {
  return 1970 + Math.floor((localMs - 1) / 31_556_952_000)
}

function withoutGuess({ guessed: _guessed, ...period }: Period): Period {
  return period
}
