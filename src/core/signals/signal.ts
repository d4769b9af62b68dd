/**
 * A signal: one named summand of a convex score. It reads facts, never other signals, and is monotone in the cosine,
 * so that bounds on a cosine bound the score ([V1] rests on that).
 */
import type { CandidateTable, Facts } from '../model/facts.ts'
import type { ConvexFusion, ConvexPolicy } from '../model/policy.ts'

export interface SignalContext {
  readonly policy: ConvexPolicy
  readonly fusion: ConvexFusion
  readonly facts: Facts
  readonly candidates: CandidateTable
  readonly channels: Facts['channels']
  /** ms, the time of the request. */
  readonly now: number
  /** Mean cosine of the scope, pulled towards 0 when the scope is tiny. */
  readonly background: number
  /** Weight of the meaning signal for this query. */
  readonly meaningWeight: number
}

export interface Signal {
  readonly name: string
  /** Says how the question meets the record: this much neighbours are given of it. Then its amounts are never negative. */
  readonly isOfQuestion?: true
  /** The signal's own measure for a candidate, before weighting. */
  value(context: SignalContext, row: number, cosine: number): number
  /** 0 when the signal has nothing to say in this query; it is then not asked. */
  weight(context: SignalContext): number
  /** In words, for a value that is not zero. */
  reason(value: number, context: SignalContext, row: number): string
}
