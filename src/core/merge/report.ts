/** One report about a record: an outcome, a read, a signal or a given confidence, with its stamp. */
import type { ConfidenceRule } from '../learning/update-confidence.ts'
import type { Outcome } from '../model/learned.ts'
import type { Stamp } from './stamp.ts'

export type ReportedEffect =
  | {
      readonly kind: 'outcome'
      readonly outcome: Outcome
      /** ms: the time of the acknowledgement. */
      readonly atMs: number
      /** Whether the record had an open prediction then. */
      readonly hasOpenPrediction: boolean
      readonly rule: ConfidenceRule
    }
  /** A signal for or against the record, 0..1: a surprising prediction, or suppression. */
  | { readonly kind: 'signal'; readonly signal: number; readonly rule: ConfidenceRule }
  /** A read that was counted when the record was handed out, or taken back because it was not used. */
  | { readonly kind: 'read'; readonly atMs: number }
  | { readonly kind: 'unread'; readonly atMs: number }
  /** The confidence that a put gave, 0..1. */
  | { readonly kind: 'confidence'; readonly confidence: number }

export interface Report {
  readonly stamp: Stamp
  /** Hash of receipt, record and outcome: the same one counts once, also from two devices. Null: every report counts. */
  readonly mark: string | null
  readonly effect: ReportedEffect
}
