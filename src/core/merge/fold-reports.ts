/**
 * Computes the learned state of a record from the set of its reports: summaries by their last report, then the listed reports by
 * stamp. The result depends on the set alone, not on the order in which devices exchanged it [R6].
 */
import type { LearnedState } from '../learning/apply-outcome.ts'
import { countedAmplitude } from '../learning/cyclic-score.ts'
import { outcomes } from '../learning/outcomes.ts'
import { applyReport, combineProgress, type Progress, startProgress } from './apply-report.ts'
import type { Report } from './report.ts'
import { countedReports, type Reports } from './reports.ts'
import { compareStamps, type Stamp } from './stamp.ts'
import type { Summary } from './summary.ts'

export interface FoldContext {
  /** The amplitudes of the record's cycles, from which their outcomes count. */
  readonly amplitudes: readonly number[]
  /** The stamp of the record's version: its decay clock starts again there, and outcomes from before do not set it. */
  readonly changed: Stamp
  /** By cycle: outcomes up to this stamp do not change its amplitude. Null: all of them do. */
  readonly since?: readonly (Stamp | null)[]
}

export function foldReports(reports: Reports, { amplitudes, changed, since = [] }: FoldContext): LearnedState {
  const ordered = inOrder(reports)
  const { state, touchedBy } = progressOf(ordered)
  const isTouched = touchedBy !== null && compareStamps(touchedBy, changed) > 0
  return {
    ...state,
    touchedAt: isTouched ? state.touchedAt : null,
    accessCount: Math.max(0, state.accessCount),
    amplitudes: amplitudes.map((amplitude, i) => amplitudeAfter(ordered, amplitude, since[i] ?? null)),
  }
}

/** The latest outcome of the record, which ends its earlier proposals; null if there is none. */
export function settledBy(reports: Reports): Stamp | null {
  return progressOf(inOrder(reports)).settledBy
}

interface Ordered {
  readonly summaries: readonly Summary[]
  readonly counted: readonly Report[]
}

function inOrder(reports: Reports): Ordered {
  const summaries = reports.flatMap(({ summary }) => summary ?? [])
  return {
    summaries: summaries.sort((a, b) => compareStamps(a.through, b.through)),
    counted: countedReports(reports),
  }
}

function progressOf({ summaries, counted }: Ordered): Progress {
  const summarised = summaries.reduce<Progress>(combineProgress, startProgress([]))
  return counted.reduce(applyReport, summarised)
}

/** A summary has one factor for all of its outcomes. It counts if the last of them does. */
function amplitudeAfter({ summaries, counted }: Ordered, start: number, since: Stamp | null): number {
  const counts = (stamp: Stamp) => since === null || compareStamps(stamp, since) > 0
  const factors = [
    ...summaries.flatMap(({ through, state }) => (counts(through) ? (state.amplitudes[0] ?? 1) : [])),
    ...counted.flatMap(({ stamp, effect }) =>
      effect.kind === 'outcome' && counts(stamp) ? outcomes[effect.outcome].amplitude : [],
    ),
  ]
  return factors.reduce((amplitude, factor) => (factor === 1 ? amplitude : countedAmplitude(amplitude * factor)), start)
}
