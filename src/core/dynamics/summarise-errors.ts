/** Prediction errors by day of their resolution (UTC): mean, population standard deviation, percentiles by nearest rank. */
import type { PredictionDay } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'

export interface TimedError {
  readonly error: number
  /** ms. */
  readonly resolvedAt: number
}

/** One summary a day on which something was resolved, ascending; the order of the errors does not matter. */
export function summariseErrors(errors: readonly TimedError[]): readonly PredictionDay[] {
  const byDay = new Map<number, number[]>()
  for (const { error, resolvedAt } of errors) {
    const day = Math.floor(resolvedAt / tuning.msPerDay)
    const known = byDay.get(day)
    if (known === undefined) byDay.set(day, [error])
    else known.push(error)
  }
  return [...byDay].sort(([a], [b]) => a - b).map(([day, ofDay]) => summaryOf(day, ofDay))
}

function summaryOf(day: number, errors: readonly number[]): PredictionDay {
  const ascending = [...errors].sort((a, b) => a - b)
  const count = ascending.length
  const mean = ascending.reduce((sum, error) => sum + error, 0) / count
  const variance = ascending.reduce((sum, error) => sum + (error - mean) * (error - mean), 0) / count
  const percentile = (p: number) => ascending[Math.max(Math.ceil((p * count) / 100), 1) - 1] as number
  return {
    day: spellDay(day),
    count,
    mean,
    sd: Math.sqrt(variance),
    p50: percentile(50),
    p90: percentile(90),
    p99: percentile(99),
  }
}

/** The date of a day counted from 1970-01-01, as ISO 8601 spells it; core has no Date. Proleptic Gregorian. */
function spellDay(day: number): string {
  // Years start in March here, so that the leap day comes last; 719,468 days lie between 0000-03-01 and 1970-01-01.
  const fromEra = day + 719_468
  const era = Math.floor(fromEra / daysPerEra)
  const dayOfEra = fromEra - era * daysPerEra
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const date = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${spellYear(year)}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** Days of 400 years. */
const daysPerEra = 146_097

function spellYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
}
