/** How many candidates a gathering takes. It changes the work, never the answer [S4]. */
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { PullChannel } from '../../../src/core/model/result.ts'

export interface CandidateBudget {
  /** This many of the records whose score has more parts than the cosine: those with the largest bounds, plus all that tie. */
  readonly best: number
  /** And all whose bound is at least this. */
  readonly minBound: number
  /** Number of nearest records, plus all that tie. */
  readonly nearest: number
  /** Number of newest records of a listing. */
  readonly newest: number
  /** Number of places of the answer that must be certain. */
  readonly places: number
  /** Upper bound of the last place's score, if known; otherwise Infinity. */
  readonly floor: number
  /** This many of the records of `reserve` with the largest bounds, and all whose bound is at least `leastReserved`; 0: none of them for that reason. */
  readonly reserved: number
  readonly leastReserved: number
  /** Keys that become candidates in any case, with exact scores. */
  readonly also: readonly number[]
}

/** Every record that a channel finds. */
export const everything: CandidateBudget = {
  best: Number.POSITIVE_INFINITY,
  minBound: Number.POSITIVE_INFINITY,
  nearest: Number.POSITIVE_INFINITY,
  newest: Number.POSITIVE_INFINITY,
  places: Number.POSITIVE_INFINITY,
  floor: Number.POSITIVE_INFINITY,
  reserved: Number.POSITIVE_INFINITY,
  leastReserved: Number.POSITIVE_INFINITY,
  also: [],
}

/** Whether a budget leaves out no record that a channel finds. */
export function isEverything({ places }: CandidateBudget): boolean {
  return places === Number.POSITIVE_INFINITY
}

/**
 * Most candidates of a channel: the depth of the policy, or every match. A policy that needs every match turns a channel off by depth 0.
 */
export function depthOf({ policy, needs }: QueryPlan, channel: PullChannel): number {
  const depth = policy.depths[channel]
  return depth > 0 && needs.allMatches ? Number.POSITIVE_INFINITY : depth
}
