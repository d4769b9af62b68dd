/** Applies one report to the learned state of a record, and combines two partial states. Used by summaries and by `foldReports`. */
import { applyOutcome, applyRead, type LearnedState, nothingLearned } from '../learning/apply-outcome.ts'
import { countedAmplitude } from '../learning/cyclic-score.ts'
import { outcomes } from '../learning/outcomes.ts'
import { type ConfidenceState, updateConfidence } from '../learning/update-confidence.ts'
import { tuning } from '../model/tuning.ts'
import type { Report, ReportedEffect } from './report.ts'
import { compareStamps, type Stamp } from './stamp.ts'

/** A learned state with the stamps of its latest reports. Its `accessCount` may be negative: a read that another device counted. */
export interface Progress {
  readonly state: LearnedState
  /** The report that set `touchedAt`. */
  readonly touchedBy: Stamp | null
  /** The report that set `resolvedAt`. */
  readonly resolvedBy: Stamp | null
  /** The latest outcome, which ends the proposals that were made before it. */
  readonly settledBy: Stamp | null
}

export function startProgress(amplitudes: readonly number[]): Progress {
  return { state: nothingLearned(amplitudes), touchedBy: null, resolvedBy: null, settledBy: null }
}

export function applyReport(progress: Progress, { stamp, effect }: Pick<Report, 'stamp' | 'effect'>): Progress {
  const { state } = progress
  if (effect.kind === 'outcome') return applyReportedOutcome(progress, stamp, effect)
  if (effect.kind === 'read' || effect.kind === 'unread')
    return { ...progress, state: (effect.kind === 'read' ? applyRead : takeBackRead)(state, effect.atMs) }
  const confidence =
    effect.kind === 'signal'
      ? updateConfidence(state.confidence, effect.signal, effect.rule)
      : { ...state.confidence, confidence: effect.confidence }
  return { ...progress, state: { ...state, confidence } }
}

function applyReportedOutcome(
  progress: Progress,
  stamp: Stamp,
  { outcome, atMs, hasOpenPrediction, rule }: ReportedEffect & { kind: 'outcome' },
): Progress {
  const { touchedAt, resolvedAt } = progress.state
  const before = { ...progress.state, resolvedAt: null }
  const { state } = applyOutcome(before, outcome, { nowMs: atMs, hasOpenPrediction, rule })
  // Reports come in the order of their stamps, but a summary of another device may reach further.
  const touches = outcomes[outcome].touches && isLater(stamp, progress.touchedBy)
  const resolves = state.resolvedAt !== null && isLater(stamp, progress.resolvedBy)
  return {
    state: { ...state, touchedAt: touches ? atMs : touchedAt, resolvedAt: resolves ? atMs : resolvedAt },
    touchedBy: touches ? stamp : progress.touchedBy,
    resolvedBy: resolves ? stamp : progress.resolvedBy,
    settledBy: isLater(stamp, progress.settledBy) ? stamp : progress.settledBy,
  }
}

function takeBackRead(state: LearnedState, atMs: number): LearnedState {
  const place = state.accessedAt.lastIndexOf(atMs)
  const accessedAt = place === -1 ? state.accessedAt : state.accessedAt.toSpliced(place, 1)
  return { ...state, accessCount: state.accessCount - 1, accessedAt }
}

/** Adds the reports of a summary to a state. The factor of the summary's amplitudes is its only amplitude. */
export function combineProgress(progress: Progress, added: Progress): Progress {
  const { state } = progress
  const touches = added.touchedBy !== null && isLater(added.touchedBy, progress.touchedBy)
  const resolves = added.resolvedBy !== null && isLater(added.resolvedBy, progress.resolvedBy)
  const settles = added.settledBy !== null && isLater(added.settledBy, progress.settledBy)
  const factor = added.state.amplitudes[0] ?? 1
  return {
    state: {
      confidence: combineConfidence(state.confidence, added.state.confidence),
      touchedAt: touches ? added.state.touchedAt : state.touchedAt,
      resolvedAt: resolves ? added.state.resolvedAt : state.resolvedAt,
      accessCount: state.accessCount + added.state.accessCount,
      accessedAt: [...state.accessedAt, ...added.state.accessedAt].sort((a, b) => a - b).slice(-tuning.maxAccesses),
      amplitudes: state.amplitudes.map((amplitude) => countedAmplitude(amplitude * factor)),
    },
    touchedBy: touches ? added.touchedBy : progress.touchedBy,
    resolvedBy: resolves ? added.resolvedBy : progress.resolvedBy,
    settledBy: settles ? added.settledBy : progress.settledBy,
  }
}

/**
 * The confidence after both sets of signals: the running means, weighted by their signals, of which at most 20 count. Below that
 * bound this is the running mean of all signals.
 */
export function combineConfidence(a: ConfidenceState, b: ConfidenceState): ConfidenceState {
  if (isStarting(a)) return b
  if (isStarting(b)) return a
  const [own, other] = [a, b].map(({ evidence }) => Math.min(evidence, tuning.confidenceEvidenceCap)) as [
    number,
    number,
  ]
  const sum = a.confidence * (own + 1) + b.confidence * (other + 1) - tuning.startConfidence
  return {
    confidence: Math.min(Math.max(sum / (own + other + 1), 0), 1),
    evidence: a.evidence + b.evidence,
    corroborations: a.corroborations + b.corroborations,
    contradictions: a.contradictions + b.contradictions,
  }
}

function isStarting({ confidence, evidence }: ConfidenceState): boolean {
  return evidence === 0 && confidence === tuning.startConfidence
}

function isLater(stamp: Stamp, than: Stamp | null): boolean {
  return than === null || compareStamps(stamp, than) > 0
}
