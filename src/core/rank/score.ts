/** How a policy's fusion turns facts into scores: one way per kind. */
import type { Facts, Need } from '../fusion/facts.ts'
import { isComposite, isConvex, isProduct, isStaged } from '../model/policy.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import { scoreByRanks } from './by-ranks.ts'
import { scoreByComposite } from './composite.ts'
import { scoreConvex } from './convex.ts'
import { scoreByProduct } from './product.ts'
import type { Scoring } from './scoring.ts'
import { scoreInStages } from './staged.ts'

/** Scores the open rows, of which only those of the filtered files are to be taken; yields what it must know first. */
export function* score(
  plan: QueryPlan,
  facts: Facts,
  open: Int32Array,
  filtered: boolean,
): Generator<Need, Scoring, void> {
  const { policy } = plan
  // Scoring differs by kind here alone; gathering looks at the kind too, to read only what is needed.
  if (isStaged(policy)) return yield* scoreInStages(plan, policy, facts, open, filtered)
  const kept = filtered ? open.filter((row) => facts.candidates.files?.[row] === 1) : open
  if (isConvex(policy)) return scoreConvex(plan, policy, facts, kept)
  if (isComposite(policy)) return scoreByComposite(plan, policy, facts, kept)
  if (isProduct(policy)) return scoreByProduct(plan, policy, facts, kept)
  return yield* scoreByRanks(policy, facts, kept)
}
