/**
 * Proves that a selection from few candidates is the selection from all: no record that was left out can reach the scores,
 * ranks and cosines that the answer states [L1].
 */

import { kthLargest } from '../../src/core/collections/select-top.ts'
import { convexCeiling } from '../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import type { Selection } from '../../src/core/select/select.ts'
import type { Omitted } from './breadth.ts'

/** An object, so that a test can replace the proof and see answers differ. */
export const certificate = { holds }

function holds(
  policy: ConvexPolicy,
  query: RecallQuery,
  facts: Facts,
  { floor, selected }: Pick<Selection, 'floor' | 'selected'>,
  omitted: Omitted | null,
): boolean {
  if (omitted === null) return true
  if (!(convexCeiling(policy, query, facts, omitted) < floor)) return false
  return omitted.cosine === Number.NEGATIVE_INFINITY || statesCosinesOf(facts, selected, omitted.cosine)
}

/**
 * Whether the best cosine, and the ranks by cosine that are stated, are those among all records. The cosines of selected rows
 * are exact.
 */
function statesCosinesOf(
  { candidates: { cosineLow } }: Facts,
  selected: Selection['selected'],
  ceiling: number,
): boolean {
  const known = cosineLow.map((cosine) => (Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine))
  const best = known.reduce((most, cosine) => Math.max(most, cosine), Number.NEGATIVE_INFINITY)
  if (!(best > ceiling)) return false
  // Below `least` no rank is stated: enough candidates are nearer.
  const least = kthLargest(known, tuning.vectorRankDepth)
  return selected.every(({ row }) => Number.isNaN(cosineLow[row]) || known[row]! < least || known[row]! > ceiling)
}
