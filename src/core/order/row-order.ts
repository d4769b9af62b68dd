/**
 * Sorts rows by a column, then by the policy's time, then by id, all descending: the order of answers [F3] for whole channels.
 * Score and place are packed into one number, so that the fast number sort of the platform does the work.
 */

import { recallError } from '../model/errors.ts'
import type { CandidateTable } from '../model/facts.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Number of steps that scores are rounded to. Packed with the place of up to 4 million rows, it is an exact integer below 2^53. */
const scoreSteps = 2_147_483_648

/** Sorts rows in place by score, then id, both descending. */
export function sortByScore(rows: Int32Array, scores: Float64Array, ids: readonly string[]): void {
  sortRows(rows, scores, (a, b) => compareCodePoints(ids[b]!, ids[a]!))
}

/** Sorts rows in place by score descending; `compare` orders rows of equal score. */
export function sortRows(rows: Int32Array, scores: Float64Array, compare: (a: number, b: number) => number): void {
  const places = rows.length
  const packed = new Float64Array(places)
  let largest = 0
  for (let i = 0; i < places; i++) largest = Math.max(largest, Math.abs(scores[rows[i]!]!))
  // Relative to the largest score, because a policy may have any weights. Divides first to avoid overflow.
  for (let i = 0; i < places; i++)
    packed[i] = -Math.round((scores[rows[i]!]! / (largest || 1)) * scoreSteps) * places + i
  packed.sort()
  const before = rows.slice()
  const steps = new Float64Array(places)
  for (let i = 0; i < places; i++) {
    const value = packed[i]!
    const step = Math.floor(value / places)
    steps[i] = step
    rows[i] = before[value - step * places]!
  }
  for (let from = 0; from < places; ) {
    let to = from + 1
    while (to < places && steps[to] === steps[from]) to++
    if (to - from > 1) rows.subarray(from, to).sort((a, b) => scores[b]! - scores[a]! || compare(a, b))
    from = to
  }
}

/** The given rows in order of time [F3]; `newest` itself if they are all rows. */
export function newestOf(rows: ArrayLike<number>, { newest, length }: CandidateTable): Int32Array {
  // Facts captured by an older version have no `newest`.
  if (newest == null) {
    throw recallError('INVALID_ARGUMENT', 'must contain the candidates in order of time', {
      field: 'facts',
      hint: 'Pass the facts captured with this receipt. Replay with the version of Scrubjay that made it.',
    })
  }
  if (rows.length === length) return newest
  const isAmong = new Uint8Array(length)
  for (let i = 0; i < rows.length; i++) isAmong[rows[i]!] = 1
  return newest.filter((row) => isAmong[row] === 1)
}

/**
 * Ranks from 1, by row, of the rows with a score above 0, the largest first; 0 for other rows. The order of `newest` breaks
 * ties.
 */
export function rankRows(newest: Int32Array, scores: Float64Array): Int32Array {
  const ranks = new Int32Array(scores.length)
  const ranked = rankedRows(newest, scores)
  for (let i = 0; i < ranked.length; i++) ranks[ranked[i]!] = i + 1
  return ranks
}

/** The rows with a score above 0, in the order of these ranks. */
export function rankedRows(newest: Int32Array, scores: Float64Array): Int32Array {
  const ranked = new Int32Array(newest.length)
  let count = 0
  for (let i = 0; i < newest.length; i++) {
    const row = newest[i]!
    if (scores[row]! > 0) ranked[count++] = row
  }
  const found = ranked.subarray(0, count)
  sortStably(found, scores)
  return found
}

/** Sorts rows in place by score descending; rows of equal score keep their order. */
export function sortStably(rows: Int32Array, scores: Float64Array): void {
  if (sortByCounts(rows, scores)) return
  const place = new Int32Array(scores.length)
  for (let i = 0; i < rows.length; i++) place[rows[i]!] = i
  sortRows(rows, scores, (a, b) => place[a]! - place[b]!)
}

/** Integers below this are sorted by counting. */
const mostCounted = 4096

/** Counting sort, linear, if all scores are small integers. Otherwise returns false and changes nothing. */
function sortByCounts(rows: Int32Array, scores: Float64Array): boolean {
  const starts = new Int32Array(mostCounted + 1)
  for (let i = 0; i < rows.length; i++) {
    const score = scores[rows[i]!]!
    if (!(score >= 0 && score < mostCounted && Math.floor(score) === score)) return false
    starts[score] = starts[score]! + 1
  }
  let at = 0
  for (let score = mostCounted - 1; score >= 0; score--) {
    const count = starts[score]!
    starts[score] = at
    at += count
  }
  const before = rows.slice()
  for (let i = 0; i < before.length; i++) {
    const row = before[i]!
    const score = scores[row]!
    rows[starts[score]!] = row
    starts[score] = starts[score]! + 1
  }
  return true
}
