/** How many candidates a gathering takes. It changes the work, never the answer [S4]. */
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { PullChannel } from '../../../src/core/model/result.ts'

export interface Breadth {
  /** This many of the records whose score has more parts than the cosine: those with the largest bounds, plus all that tie. */
  readonly best: number
  /** And all whose bound is at least this. */
  readonly least: number
  /** So many of the nearest records, with all that tie. */
  readonly nearest: number
  /** So many of the newest records of a listing. */
  readonly newest: number
  /** So many places of the answer must be certain; `floor`: a score that the last of them has at most, if one is known. */
  readonly places: number
  readonly floor: number
  /** Keys that become candidates in any case, with exact scores. */
  readonly also: readonly number[]
}

/** Every record that a channel finds. */
export const everything: Breadth = {
  best: Number.POSITIVE_INFINITY,
  least: Number.POSITIVE_INFINITY,
  nearest: Number.POSITIVE_INFINITY,
  newest: Number.POSITIVE_INFINITY,
  places: Number.POSITIVE_INFINITY,
  floor: Number.POSITIVE_INFINITY,
  also: [],
}

/** Bounds on the records that a gathering leaves out. */
export interface Omitted {
  /** No score of them is above this. */
  readonly score: number
  /** Most that the question itself adds to one of them. */
  readonly amount: number
  /** Most that the cosine adds to a record of which nothing else is known. */
  readonly near: number
  /** No cosine of them is above this; −Infinity if none of them has a vector. */
  readonly cosine: number
  /** Copies of records that were read, which must be candidates with exact scores. */
  readonly copies: readonly number[]
}

/**
 * Most candidates of a channel: the depth of the policy, or every match. A policy that needs every match turns a channel off by depth 0.
 */
export function depthOf({ policy, needs }: QueryPlan, channel: PullChannel): number {
  const depth = policy.depths[channel]
  return depth > 0 && needs.allMatches ? Number.POSITIVE_INFINITY : depth
}
