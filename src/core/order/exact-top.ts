/** Finds the nearest rows for fusions by rank: reads cosines until the order is certain [V1]. */

import { kthLargest } from '../collections/select-top.ts'
import type { Facts, Need } from '../model/facts.ts'

/** Yields until every cosine that could be among the `depth` largest of these rows is exact. */
export function* readTopCosines(
  { candidates }: Pick<Facts, 'candidates'>,
  rows: Int32Array,
  depth: number,
): Generator<Need, void, void> {
  const { cosineLow, cosineHigh } = candidates
  for (;;) {
    const floor = kthLargest(knownCosines({ candidates }, rows), depth)
    const cosines: number[] = []
    for (const row of rows) {
      const high = cosineHigh[row]!
      if (high >= floor && cosineLow[row] !== high) cosines.push(row)
    }
    if (cosines.length === 0) return
    yield { need: { records: [], cosines } }
  }
}

/** The lower bounds of these rows; −Infinity for rows without a vector. */
export function knownCosines({ candidates }: Pick<Facts, 'candidates'>, rows: Int32Array): Float64Array {
  const known = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const cosine = candidates.cosineLow[rows[i]!]!
    known[i] = Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine
  }
  return known
}

/**
 * Ranks from 1, by row, of the `depth` largest cosines; 0 for other rows. The order of `newest` breaks ties. Certain after
 * `readTopCosines` has finished.
 */
export function vectorRanks({ candidates }: Facts, newest: Int32Array, depth: number): Int32Array {
  const { cosineLow, length } = candidates
  const ranks = new Int32Array(length)
  const floor = kthLargest(knownCosines({ candidates }, newest), depth)
  const best = newest.filter((row) => cosineLow[row]! >= floor)
  const place = new Map(Array.from(best, (row, i) => [row, i]))
  best.sort((a, b) => cosineLow[b]! - cosineLow[a]! || place.get(a)! - place.get(b)!)
  for (let i = 0; i < Math.min(depth, best.length); i++) ranks[best[i]!] = i + 1
  return ranks
}
