/**
 * Proves that a selection from few candidates is the selection from all: no record that was left out can reach the scores,
 * ranks and cosines that the answer states [L1].
 */

import { convexCeiling } from '../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../src/core/model/facts.ts'
import { isConvex } from '../../src/core/model/policy.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { kthLargest } from '../../src/core/collections/select-top.ts'
import type { Selection } from '../../src/core/select/select.ts'
import type { Beyond } from './beyond.ts'

/** An object, so that a test can replace the proof and see answers differ. */
export const certificate = { holds }

/** Call it with the cosines of the selected rows exact. */
function holds(
  plan: QueryPlan,
  facts: Facts,
  { floor, selected }: Pick<Selection, 'floor' | 'selected'>,
  beyond: Beyond | null,
): boolean {
  if (beyond === null) return true
  if (!isConvex(plan.policy)) return false
  if (!(convexCeiling(plan.policy, plan.query, facts, beyond) < floor)) return false
  return beyond.cosine === Number.NEGATIVE_INFINITY || statesCosinesOf(facts, selected, beyond.cosine)
}

/** Whether the best cosine, and the ranks by cosine that are stated, are those among all records. */
function statesCosinesOf(
  { candidates: { cosineLow } }: Facts,
  selected: Selection['selected'],
  ceiling: number,
): boolean {
  const known = cosineLow.map((cosine) => (Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine))
  const best = known.reduce((most, cosine) => Math.max(most, cosine), Number.NEGATIVE_INFINITY)
  if (!(best > ceiling)) return false
  const least = kthLargest(known, tuning.vectorRankDepth)
  // Below `least`, no rank is stated: so many candidates are nearer.
  return selected.every(({ row }) => !(known[row]! >= least) || known[row]! > ceiling || Number.isNaN(cosineLow[row]))
}
