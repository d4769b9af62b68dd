/** What every fusion makes of facts: one shape for all kinds, so that selecting and explaining know none of them. */
import type { Contribution, Hit, MatchedField } from '../model/result.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import type { Beyond } from '../order/loss.ts'

export interface Scoring {
  readonly bounds: ScoreBounds
  /** Candidates that the fusion itself cut, best first. */
  readonly cut: readonly Beyond[]
  /** Summands of a row's score, in order, without zeros: adding the amounts gives exactly the score [G3]. */
  contributions(row: number): readonly Contribution[]
  /** Ranks the score is made of, where it is made of ranks; those of other channels are told as for any policy. */
  ranks?(row: number): Hit['ranks']
  /** The fields a policy counts as matched; where absent they are found by reading the record. */
  matched?(row: number): readonly MatchedField[]
}
