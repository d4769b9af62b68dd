/**
 * Computes the learned state of a record from the set of its reports: summaries by their last report, then the listed reports by
 * stamp. The result depends on the set alone, not on the order in which devices exchanged it [R6].
 */
import type { LearnedState } from '../learning/apply-outcome.ts'
import { applyReport, combineProgress, type Progress, startProgress } from './apply-report.ts'
import { countedReports, type Reports } from './reports.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface FoldContext {
  /** The amplitudes of the record's cycles as the caller gave them. */
  readonly amplitudes: readonly number[]
  /** The stamp of the record's version: its decay clock starts again there, and outcomes from before do not set it. */
  readonly changed: Stamp
}

export function foldReports(reports: Reports, { amplitudes, changed }: FoldContext): LearnedState {
  const { state, touchedBy } = progressOf(reports, amplitudes)
  const isTouched = touchedBy !== null && compareStamps(touchedBy, changed) > 0
  return { ...state, touchedAt: isTouched ? state.touchedAt : null, accessCount: Math.max(0, state.accessCount) }
}

/** The latest outcome of the record, which ends its earlier proposals; null if there is none. */
export function settledBy(reports: Reports): Stamp | null {
  return progressOf(reports, []).settledBy
}

function progressOf(reports: Reports, amplitudes: readonly number[]): Progress {
  const summaries = reports.flatMap(({ summary }) => summary ?? [])
  summaries.sort((a, b) => compareStamps(a.through, b.through))
  const summarised = summaries.reduce<Progress>(combineProgress, startProgress(amplitudes))
  return countedReports(reports).reduce(applyReport, summarised)
}
