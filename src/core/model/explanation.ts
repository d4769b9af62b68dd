/** The type of an explanation: why a record is in an answer, or is not. `explain.ts` builds it. */
import type { Contribution, Evidence, Hit, PullChannel, Stage } from './result.ts'

/**
 * The stages that a record must pass to be selected, in this order. Gates come before the channels, because a filtered record
 * takes no place in the depth of a channel [Q4]: without its gate, the record may still be beyond the depth. Evidence comes
 * before the stages in which records compete: evidence below the minimum empties the answer, so places do not matter.
 */
export const explainedStages = [
  'stored',
  'scope',
  'gate',
  'found',
  'candidates',
  'evidence',
  'collapse',
  'quota',
  'threshold',
  'limit',
] as const satisfies readonly ('stored' | 'scope' | 'found' | Stage)[]
export type ExplainedStage = (typeof explainedStages)[number]

export interface ExplainedStep {
  readonly stage: ExplainedStage
  readonly passed: boolean
  /** The reason in words. */
  readonly detail: string
}

export interface Explanation {
  readonly id: string
  readonly selected: boolean
  /** The stage that the record did not pass; null for a selected record. */
  readonly stage: ExplainedStage | null
  /** The detail of the last step. */
  readonly reason: string
  /** All stages up to the one that decided. */
  readonly steps: readonly ExplainedStep[]
  /** Rank in the answer from 1; null if not selected. */
  readonly place: number | null
  /** Null if no score was computed. */
  readonly score: number | null
  /** Score of the last hit; null for an empty answer. */
  readonly leastScore: number | null
  /** The summands of the score. */
  readonly contributions: readonly Contribution[]
  /** Rank from 1 in each channel that looked at the record, even beyond the depth of the channel. */
  readonly ranks: Partial<Record<PullChannel, number>>
  /** Cosine to the query; null if the query or the record has no vector. */
  readonly cosine: number | null
  /** The hit in the answer; null if not selected. */
  readonly hit: Hit | null
  readonly evidence: Evidence
}
