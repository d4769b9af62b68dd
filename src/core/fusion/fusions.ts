/**
 * The table of fusions: what each kind needs from planning and gathering, and how it scores. Only this file distinguishes the kinds.
 */

import { type FactNeeds, nothingNeeded } from '../model/fact-needs.ts'
import type { Facts, Need } from '../model/facts.ts'
import { isComposite, isConvex, isProduct, isStaged, type Policy } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { ranksNeeds, scoreByRanks } from './by-ranks.ts'
import { compositeNeeds, scoreByComposite } from './composite.ts'
import { convexNeeds, scoreConvex } from './convex.ts'
import { productNeeds, scoreByProduct } from './product.ts'
import type { Scoring } from './scoring.ts'
import { scoreInStages, stagedNeeds } from './staged.ts'

export function needsOf(policy: Policy): FactNeeds {
  return { ...nothingNeeded, ...ownNeeds(policy) }
}

function ownNeeds(policy: Policy): Partial<FactNeeds> {
  if (isStaged(policy)) return stagedNeeds(policy)
  if (isConvex(policy)) return convexNeeds(policy)
  if (isComposite(policy)) return compositeNeeds(policy)
  if (isProduct(policy)) return productNeeds(policy)
  return ranksNeeds
}

/** Scores the eligible rows. With `filtered`, only rows that pass the `files` filter may be selected. Yields the rows that it must know first. */
export function* score(
  plan: QueryPlan,
  facts: Facts,
  eligible: Int32Array,
  filtered: boolean,
): Generator<Need, Scoring, void> {
  const { policy } = plan
  if (isStaged(policy)) return yield* scoreInStages(plan, policy, facts, eligible, filtered)
  const kept = filtered ? eligible.filter((row) => facts.candidates.files?.[row] === 1) : eligible
  if (isConvex(policy)) return scoreConvex(plan, policy, facts, kept)
  if (isComposite(policy)) return scoreByComposite(plan, policy, facts, kept)
  if (isProduct(policy)) return scoreByProduct(plan, policy, facts, kept)
  return yield* scoreByRanks(policy, facts, kept)
}
