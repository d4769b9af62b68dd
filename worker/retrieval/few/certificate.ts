/**
 * Proves that a selection from few candidates is the selection from all: no record that was left out can reach the scores,
 * ranks and cosines that the answer states [L1].
 */

import { kthLargest } from '../../../src/core/collections/select-top.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { Selection } from '../../../src/core/select/select.ts'
import type { Omitted } from './breadth.ts'

/** An object, so that a test can replace the proof and see answers differ. */
export const certificate = { holds }

function holds(
  facts: Facts,
  { floor, selected, filtered }: Pick<Selection, 'floor' | 'selected' | 'filtered'>,
  omitted: Omitted | null,
): boolean {
  if (omitted === null) return true
  // Every record that passes the `files` filter is a candidate.
  if (!filtered && !(omitted.score < floor && omitted.copies.length === 0)) return false
  if (omitted.cosine === Number.NEGATIVE_INFINITY) return true
  const reserved = [...(facts.candidates.reserved?.entries() ?? [])].filter(([, is]) => is === 1)
  return statesCosinesOf(facts, [...selected, ...reserved.map(([row]) => ({ row }))], omitted.cosine)
}

/**
 * Whether the best cosine, and the ranks by cosine that are stated, are those among all records. The cosines of selected rows
 * are exact.
 */
function statesCosinesOf(
  { candidates: { cosineLow } }: Facts,
  shown: readonly { readonly row: number }[],
  ceiling: number,
): boolean {
  const known = cosineLow.map((cosine) => (Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine))
  const best = known.reduce((most, cosine) => Math.max(most, cosine), Number.NEGATIVE_INFINITY)
  if (!(best > ceiling)) return false
  // Below `least` no rank is stated: enough candidates are nearer.
  const least = kthLargest(known, tuning.vectorRankDepth)
  return shown.every(({ row }) => Number.isNaN(cosineLow[row]) || known[row]! < least || known[row]! > ceiling)
}
