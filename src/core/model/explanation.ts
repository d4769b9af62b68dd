/** Why a record is in an answer, or is not. Plain data; `explain.ts` makes it. */
import type { Contribution, Evidence, Hit, PullChannel, Stage } from './result.ts'

/**
 * What a record must pass to be selected, in this order. Gates stand before the channels, for what they close takes no
 * place in a channel's cut [Q4]: behind a gate a record may turn out to be beyond a depth. Evidence stands before what
 * records lose to each other: too little of it empties the answer, and then no place in it is worth anything.
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
  /** In words. */
  readonly detail: string
}

export interface Explanation {
  readonly id: string
  readonly selected: boolean
  /** The stage that lost it: relaxed, it lets the record pass. Null for a selected one. */
  readonly stage: ExplainedStage | null
  /** The last step in a sentence. */
  readonly reason: string
  /** Every stage up to the one that decided. */
  readonly steps: readonly ExplainedStep[]
  /** Place in the answer from 1; null for a miss. */
  readonly place: number | null
  /** Null where it was never scored. */
  readonly score: number | null
  /** Score of the last selected hit; null for an empty answer. */
  readonly leastScore: number | null
  /** What adds up to the score. */
  readonly contributions: readonly Contribution[]
  /** Rank from 1 in each channel that looked at the record, even beyond the channel's depth. */
  readonly ranks: Partial<Record<PullChannel, number>>
  /** Cosine to the query; null without a vector on either side. */
  readonly cosine: number | null
  /** The hit as the answer has it; null for a miss. */
  readonly hit: Hit | null
  readonly evidence: Evidence
}
