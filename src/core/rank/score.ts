/**
 * Scores of candidates: the sum of the signals' amounts in table order, at a known cosine or at its bounds.
 * Every signal is monotone in the cosine and weighs at least 0, so the score at the bounds bounds the score.
 */
import type { Contribution } from '../model/result.ts'
import type { SignalContext } from '../signals/signal.ts'
import { signals } from '../signals/signals.ts'

/** The score of one candidate at a given cosine (NaN: it has no vector). */
export function scoreAt(context: SignalContext, row: number, cosine: number): number {
  let sum = 0
  for (const signal of signals) sum += signal.value(context, row, cosine) * signal.weight(context)
  return sum
}

/** The same sum, summand by summand without the zeros: adding the amounts in order gives exactly `scoreAt` (law G3). */
export function contributionsAt(context: SignalContext, row: number, cosine: number): readonly Contribution[] {
  return signals
    .map((signal) => {
      const value = signal.value(context, row, cosine)
      const weight = signal.weight(context)
      return { signal: signal.name, value, weight, amount: value * weight, reason: signal.reason(value) }
    })
    .filter(({ amount }) => amount !== 0)
}
