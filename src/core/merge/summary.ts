/**
 * Summarises the oldest reports of one device about one record: counts, a running mean and latest times, which can be combined with
 * the summaries of other devices. The reports themselves are dropped.
 */
import { tuning } from '../model/tuning.ts'
import { applyReport, type Progress, startProgress } from './apply-report.ts'
import type { Report } from './report.ts'
import type { Stamp } from './stamp.ts'

export interface Summary extends Progress {
  /** The last report that it contains. */
  readonly through: Stamp
  /** Marks of the outcomes of its last 30 days, so that they do not count again. */
  readonly marks: readonly { readonly mark: string; readonly at: number }[]
}

/** Adds the next report. `counts`: false if another device reported the same first. */
export function summarise(summary: Summary | null, report: Report, counts: boolean): Summary {
  // One amplitude of 1: after the reports it is their factor.
  const before = summary ?? { ...startProgress([1]), marks: [] }
  const { state, touchedBy, resolvedBy, settledBy } = counts ? applyReport(before, report) : before
  const { mark, stamp } = report
  // A mark that does not count here is listed or summarised by the device where it counts.
  const marks = [...before.marks, ...(mark === null || !counts ? [] : [{ mark, at: stamp.at }])]
  return {
    state,
    touchedBy,
    resolvedBy,
    settledBy,
    through: stamp,
    marks: marks.filter(({ at }) => at >= stamp.at - tuning.operationMemoryMs),
  }
}
