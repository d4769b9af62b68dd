/**
 * A signal: one named summand of a score. It reads facts, never other signals, and is monotone in the cosine,
 * so that bounds on a cosine bound the score (law V1 rests on that).
 */
import type { CandidateTable, Facts } from '../fusion/facts.ts'
import type { ConvexFusion } from '../model/policy.ts'

export interface SignalContext {
  readonly fusion: ConvexFusion
  readonly candidates: CandidateTable
  readonly channels: Facts['channels']
  /** Mean cosine of the scope, pulled towards 0 when the scope is tiny. */
  readonly background: number
  /** Weight of the meaning signal for this query. */
  readonly meaningWeight: number
}

export interface Signal {
  readonly name: string
  /** The signal's own measure for a candidate, before weighting. */
  value(context: SignalContext, row: number, cosine: number): number
  /** 0 when the signal has nothing to say in this query; it is then not asked. */
  weight(context: SignalContext): number
  /** In words, for a value above zero. */
  reason(value: number): string
}
