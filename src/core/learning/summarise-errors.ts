/** Summarises prediction errors by the day of their resolution (UTC): mean, population standard deviation, percentiles by nearest rank. */
import type { PredictionDay } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'
import { isoDay } from '../time/iso-time.ts'

export interface TimedError {
  readonly error: number
  /** ms. */
  readonly resolvedAt: number
}

/** One summary per day with resolved predictions, ascending. The order of the errors does not matter. */
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
  const percentile = (p: number) => ascending[Math.max(Math.ceil((p * count) / 100), 1) - 1]!
  return {
    day: isoDay(day),
    count,
    mean,
    sd: Math.sqrt(variance),
    p50: percentile(50),
    p90: percentile(90),
    p99: percentile(99),
  }
}
