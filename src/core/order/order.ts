/** The order of answers [F3]: by score, then by the policy's time, then by id, all descending. */
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import type { ScoreBounds } from './bounds.ts'

export interface Ordered {
  readonly score: number
  /** updatedAt or createdAt, by the policy's `order`. */
  readonly at: number
  readonly id: string
}

/** A candidate with its exact score; `row` is its row in the facts. */
export interface Ranked extends Ordered {
  readonly row: number
}

/** Negative if `a` comes first. */
export function compareRanked(a: Ordered, b: Ordered): number {
  if (a.score !== b.score) return b.score > a.score ? 1 : -1
  if (a.at !== b.at) return b.at > a.at ? 1 : -1
  return compareCodePoints(b.id, a.id)
}

/** The exact key of a row that was read, for sorting. */
export function rank(plan: QueryPlan, facts: Facts, bounds: ScoreBounds, row: number): Ranked {
  return {
    row,
    score: bounds.low[row]!,
    at: facts.records.get(row)?.[plan.policy.order] ?? 0,
    id: facts.candidates.ids[row]!,
  }
}
