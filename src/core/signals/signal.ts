/**
 * The type of a signal: one named summand of a convex score. A signal depends on facts only, not on other signals, and must be
 * monotone in the cosine, so that bounds on a cosine bound the score ([V1] depends on it).
 */
import type { CandidateTable, Facts } from '../model/facts.ts'
import type { ConvexFusion, ConvexPolicy } from '../model/policy.ts'
import type { TimeWindow } from '../model/query-plan.ts'

export interface SignalContext {
  readonly policy: ConvexPolicy
  readonly fusion: ConvexFusion
  readonly facts: Facts
  readonly candidates: CandidateTable
  readonly channels: Facts['channels']
  /** ms, the time of the request. */
  readonly now: number
  /** Mean cosine of the scope, pulled towards 0 if the scope is very small. */
  readonly background: number
  /** The times that the query names. */
  readonly times: readonly TimeWindow[]
  /** Weight of the vector signal for this query. */
  readonly meaningWeight: number
}

export interface Signal {
  readonly name: string
  /** True: the signal compares the query with the record, and adjacent records share it. Its amounts must never be negative. */
  readonly isOfQuestion?: true
  /** The value for a candidate, before weighting. */
  value(context: SignalContext, row: number, cosine: number): number
  /** The weight for this query. A signal of weight 0 is not computed. */
  weight(context: SignalContext): number
  /** The reason in words, for a value that is not zero. */
  reason(value: number, context: SignalContext, row: number): string
}
