/**
 * Computes the lengths by which records receive from their neighbours. In a chat of short questions and long answers, a long answer would
 * receive shares from every short turn next to it, and win by both. Where the lengths of a session alternate, each record counts with its
 * own length; elsewhere it counts with the mean of the session, because length alone says nothing there.
 */
import { tuning } from '../model/tuning.ts'

/**
 * Returns the received length of each record. `lengths`: tokens of the records of one session, in order. The result depends only on this
 * list. How much lengths alternate is their autocorrelation at lag 1.
 */
export function receivedLengths(lengths: readonly number[]): readonly number[] {
  const count = lengths.length
  let sum = 0
  let squares = 0
  let products = 0
  for (const [i, length] of lengths.entries()) {
    sum += length
    squares += length * length
    if (i > 0) products += lengths[i - 1]! * length
  }
  const mean = sum / count
  const variance = squares - sum * mean
  // The quotient would be 0 / 0, apart from rounding, for one record or equal lengths.
  if (count < 2 || variance <= 1e-9 * squares) return lengths.map(() => mean)
  const ends = lengths[0]! + lengths[count - 1]!
  const covariance = products - mean * (2 * sum - ends) + (count - 1) * mean * mean
  const own = alternation(covariance / variance)
  return lengths.map((length) => own * length + (1 - own) * mean)
}

/** 0 for lengths that do not alternate, 1 for those that clearly do, and a ramp in between: one more turn must change scores by little. */
function alternation(autocorrelation: number): number {
  const { none, full } = tuning.alternatingLengths
  return Math.min(1, Math.max(0, (none - autocorrelation) / (none - full)))
}

/** Share that a record keeps of what its neighbours give: 1 for no length, a half at `halfLength` tokens. */
export function receivedShare(length: number, halfLength: number): number {
  const ratio = length / halfLength
  return 1 / (1 + ratio * ratio)
}
