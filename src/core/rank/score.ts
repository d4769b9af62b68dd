/**
 * Scores of candidates: the sum of the signals' amounts in table order, at a known cosine or at its bounds.
 * Every signal is monotone in the cosine and weighs at least 0, so the score at the bounds bounds the score.
 */
import type { Contribution } from '../model/result.ts'
import type { Signal, SignalContext } from '../signals/signal.ts'
import { signals } from '../signals/signals.ts'

/** By row; −Infinity for rows that may not be selected. */
export interface ScoreBounds {
  readonly low: Float64Array
  readonly high: Float64Array
  /** Scores these rows again, after their cosines have been read. */
  refresh(rows: readonly number[]): void
}

export function scoreBounds(context: SignalContext, open: Int32Array): ScoreBounds {
  const { cosineLow, cosineHigh, length } = context.candidates
  const asked = signals.filter((signal) => signal.weight(context) !== 0)
  const weights = asked.map((signal) => signal.weight(context))
  const low = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  const high = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  const scoreAt = (row: number, cosine: number) => {
    let sum = 0
    for (let i = 0; i < asked.length; i++) {
      sum += (asked[i] as Signal).value(context, row, cosine) * (weights[i] as number)
    }
    return sum
  }
  const score = (row: number) => {
    const from = cosineLow[row] as number
    const to = cosineHigh[row] as number
    const least = scoreAt(row, from)
    low[row] = least
    // Equal, or both NaN: the score is exact.
    high[row] = from < to ? scoreAt(row, to) : least
  }
  for (let i = 0; i < open.length; i++) score(open[i] as number)
  return {
    low,
    high,
    refresh(rows) {
      for (const row of rows) if (low[row] !== Number.NEGATIVE_INFINITY) score(row)
    },
  }
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
