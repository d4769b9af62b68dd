/** The result of a fusion, in one shape for all kinds: selecting and explaining do not depend on the kind. */
import type { Contribution, Hit, MatchedField } from '../model/result.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import type { RejectedRange } from '../order/rejected.ts'

export interface Scoring {
  readonly bounds: ScoreBounds
  /** Candidates that the fusion itself dropped, best first. */
  readonly cut: readonly RejectedRange[]
  /** The summands of a row's score, in order, without zeros. The sum of their amounts is exactly the score [G3]. */
  contributions(row: number): readonly Contribution[]
  /** The ranks behind the score, if the fusion uses ranks. The ranks of other channels are computed for every policy. */
  ranks?(row: number): Hit['ranks']
  /** The fields that count as matched. Absent: they are found by reading the record. */
  matched?(row: number): readonly MatchedField[]
}
