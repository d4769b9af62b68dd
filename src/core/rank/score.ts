/**
 * Scores of candidates: the sum of the signals' amounts in table order, at a known cosine or at its bounds.
 * Every signal is monotone in the cosine and weighs at least 0, so the score at the bounds bounds the score.
 */
import type { Contribution } from '../model/result.ts'
import type { Signal, SignalContext } from '../signals/signal.ts'
import { signals } from '../signals/signals.ts'

export interface ScoreBounds {
  /** One per open row, in the order given. */
  readonly low: Float64Array
  readonly high: Float64Array
  /** The lower bound by row number; 0 for rows that are not open. */
  readonly byRow: Float64Array
  lowOf(row: number): number
}

export function scoreBounds(context: SignalContext, rows: Int32Array): ScoreBounds {
  const { cosineLow, cosineHigh, length } = context.candidates
  const asked = signals.filter((signal) => signal.weight(context) !== 0)
  const weights = asked.map((signal) => signal.weight(context))
  const scoreAt = (row: number, cosine: number) => {
    let sum = 0
    for (let i = 0; i < asked.length; i++) {
      sum += (asked[i] as Signal).value(context, row, cosine) * (weights[i] as number)
    }
    return sum
  }
  const byRow = new Float64Array(length)
  const low = new Float64Array(rows.length)
  const high = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const score = scoreAt(row, cosineLow[row] as number)
    byRow[row] = score
    low[i] = score
    high[i] = cosineLow[row] === cosineHigh[row] ? score : scoreAt(row, cosineHigh[row] as number)
  }
  return { low, high, byRow, lowOf: (row) => byRow[row] as number }
}

/** The same sum, summand by summand without the zeros: adding the amounts in order gives exactly the score (law G3). */
export function contributionsAt(context: SignalContext, row: number, cosine: number): readonly Contribution[] {
  return signals
    .map((signal) => {
      const value = signal.value(context, row, cosine)
      const weight = signal.weight(context)
      return { signal: signal.name, value, weight, amount: value * weight, reason: signal.reason(value) }
    })
    .filter(({ amount }) => amount !== 0)
}
