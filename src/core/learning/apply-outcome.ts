/**
 * Computes the learned state of a record after an outcome. Pure: the same state, outcome and time give the same next state.
 * Every number stays within its bounds, however often outcomes are applied.
 */
import type { Outcome } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'
import { countedAmplitude } from './cyclic-score.ts'
import { outcomes } from './outcomes.ts'
import { type ConfidenceRule, type ConfidenceState, startingConfidence, updateConfidence } from './update-confidence.ts'

/** The learned data of one record. */
export interface LearnedState {
  readonly confidence: ConfidenceState
  /** When its decay clock was last set, ms; null: at the record's updatedAt. */
  readonly touchedAt: number | null
  /** When its pressure was last relieved, ms; null: never. */
  readonly resolvedAt: number | null
  /** Number of confirmed reads. */
  readonly accessCount: number
  /** Times of the last 100 confirmed reads, ms, ascending. */
  readonly accessedAt: readonly number[]
  /** Amplitudes of the record's cycles, in their order. */
  readonly amplitudes: readonly number[]
}

export interface OutcomeContext {
  readonly nowMs: number
  /** Whether the record has an open prediction. */
  readonly hasOpenPrediction: boolean
  readonly rule?: ConfidenceRule | undefined
}

export interface OutcomeResult {
  readonly state: LearnedState
  /** The error with which the open prediction is resolved; null: none is open, or it stays open. */
  readonly predictionError: number | null
}

/** The state of a record with these cycles and without learned data. */
export function nothingLearned(amplitudes: readonly number[] = []): LearnedState {
  return {
    confidence: startingConfidence,
    touchedAt: null,
    resolvedAt: null,
    accessCount: 0,
    accessedAt: [],
    amplitudes,
  }
}

/** Applies the signal of the outcome, then that of a surprising prediction, then relieves the pressure (docs/spec/learning.md#outcomes). */
export function applyOutcome(state: LearnedState, outcome: Outcome, context: OutcomeContext): OutcomeResult {
  const effects = outcomes[outcome]
  const { nowMs } = context
  const predictionError = context.hasOpenPrediction ? effects.predictionError : null
  const afterSignal =
    effects.signal === null ? state.confidence : updateConfidence(state.confidence, effects.signal, context.rule)
  const confidence =
    predictionError === null ? afterSignal : confidenceAfterError(afterSignal, predictionError, context.rule)
  const resolves =
    effects.resolves === 'always' ||
    (effects.resolves === 'when abandoned' && confidence.confidence <= tuning.abandonedConfidence)
  return {
    state: {
      ...(effects.confirmsRead ? applyRead(state, nowMs) : state),
      confidence,
      touchedAt: effects.touches ? nowMs : state.touchedAt,
      resolvedAt: resolves ? nowMs : state.resolvedAt,
      amplitudes:
        effects.amplitude === 1
          ? state.amplitudes
          : state.amplitudes.map((amplitude) => countedAmplitude(amplitude * effects.amplitude)),
    },
    predictionError,
  }
}

/** A large error of the prediction is a signal against the record; other errors have no effect. */
export function confidenceAfterError(state: ConfidenceState, error: number, rule?: ConfidenceRule): ConfidenceState {
  return error > tuning.surprisingError ? updateConfidence(state, tuning.surpriseSignal, rule) : state
}

/** Removes the read at that time: it was counted when the record was handed out, but was not useful. */
export function withoutRead(state: LearnedState, atMs: number): LearnedState {
  const place = state.accessedAt.lastIndexOf(atMs)
  return {
    ...state,
    accessCount: Math.max(0, state.accessCount - 1),
    accessedAt: place === -1 ? state.accessedAt : state.accessedAt.toSpliced(place, 1),
  }
}

/** Adds one confirmed read. */
export function applyRead(state: LearnedState, atMs: number): LearnedState {
  return {
    ...state,
    accessCount: state.accessCount + 1,
    accessedAt: [...state.accessedAt, atMs].sort((a, b) => a - b).slice(-tuning.maxAccesses),
  }
}
