/**
 * How a policy's fusion turns facts into scores: one way per kind, all behind the same few members, so that selecting
 * and explaining know none of them.
 */
import type { Facts, Need } from '../fusion/facts.ts'
import { isComposite, isConvex, isProduct, isStaged } from '../model/policy.ts'
import type { Contribution, MatchedField } from '../model/result.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { ScoreBounds } from './bounds.ts'
import { scoreByComposite } from './composite.ts'
import { scoreConvex } from './convex.ts'
import type { Beyond } from './loss.ts'
import { scoreByProduct } from './product.ts'
import { scoreByRanks } from './by-ranks.ts'
import { scoreInStages } from './staged.ts'

export interface Scoring {
  readonly bounds: ScoreBounds
  /** Candidates that the fusion itself cut, best first. */
  readonly cut: readonly Beyond[]
  /** Summands of a row's score, in order, without zeros: adding the amounts gives exactly the score (law G3). */
  contributions(row: number): readonly Contribution[]
  /** The fields a policy counts as matched; where absent they are found by reading the record. */
  matched?(row: number): readonly MatchedField[]
}

/** Scores the open rows, of which only those of the filtered files are to be taken; yields what it must know first. */
export function* score(
  plan: QueryPlan,
  facts: Facts,
  open: Int32Array,
  filtered: boolean,
): Generator<Need, Scoring, void> {
  const { policy } = plan
  // The one place where policies part ways.
  if (isStaged(policy)) return yield* scoreInStages(plan, policy, facts, open, filtered)
  const kept = filtered ? open.filter((row) => facts.candidates.files?.[row] === 1) : open
  if (isConvex(policy)) return scoreConvex(plan, policy, facts, kept)
  if (isComposite(policy)) return scoreByComposite(plan, policy, facts, kept)
  if (isProduct(policy)) return scoreByProduct(plan, policy, facts, kept)
  return yield* scoreByRanks(policy, facts, kept)
}
