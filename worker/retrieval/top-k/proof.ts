/**
 * Proves that a selection from few candidates is the selection from all: no record that is left out reaches the scores,
 * ranks and cosines of the answer [L1].
 */

import { kthLargest } from '../../../src/core/collections/select-top.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { Selection } from '../../../src/core/select/select.ts'

/** Bounds on the records that a gathering leaves out. */
export interface UnseenBounds {
  /** Of their scores. */
  readonly score: number
  /** Of the scores of those that `reserve` of the query names. */
  readonly reserved: number
  /** Of the scores of those of which nothing is known but a cosine, without neighbours. */
  readonly nearest: number
  /** Of their cosines; −Infinity if none of them has a vector. */
  readonly cosine: number
}

/** An object, so that a test can replace the proof and see answers differ. */
export const proof = { holds, holdsReserved }

function holds(
  facts: Facts,
  { floor, selected, reserved, filtered }: Pick<Selection, 'floor' | 'selected' | 'reserved' | 'filtered'>,
  unseen: UnseenBounds | null,
  /** Copies of records that were read, which must be candidates with exact scores. */
  copies: readonly number[],
): boolean {
  if (unseen === null) return true
  if (!isWhole(facts, filtered) && !(unseen.score < floor && copies.length === 0)) return false
  if (unseen.cosine === Number.NEGATIVE_INFINITY) return true
  return statesCosinesOf(facts, [...selected, ...reserved.selected], unseen.cosine)
}

/** Whether no record that is left out has a reserved place. */
function holdsReserved(
  facts: Facts,
  { reserved, filtered }: Pick<Selection, 'reserved' | 'filtered'>,
  unseen: UnseenBounds | null,
): boolean {
  if (unseen === null || unseen.reserved === Number.NEGATIVE_INFINITY) return true
  return isWhole(facts, filtered) || unseen.reserved < reserved.floor
}

/** Every record that passes the `files` filter is a candidate, but in a listing only the newest have the amount of their place. */
function isWhole({ channels }: Facts, filtered: boolean): boolean {
  return filtered && !channels.recent.ran
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
