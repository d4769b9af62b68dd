/**
 * A second implementation of outcomes: Popoto's table and formulas with their numbers, in plain steps. Imports nothing
 * of the engine except the type of the stored state.
 */
import type { LearnedState } from '../../../src/core/learning/apply-outcome.ts'
import type { Outcome } from '../../../src/core/model/learned.ts'

export const outcomeNames: readonly Outcome[] = ['acted', 'used', 'dismissed', 'deferred', 'contradicted']

export function untaught(amplitudes: readonly number[]): LearnedState {
  return {
    confidence: { confidence: 0.5, evidence: 0, corroborations: 0, contradictions: 0 },
    touchedAt: null,
    resolvedAt: null,
    accessCount: 0,
    accessedAt: [],
    amplitudes,
  }
}

/** The state after one outcome at a time, of a record without an open prediction. */
export function taught(state: LearnedState, outcome: Outcome, at: number): LearnedState {
  if (outcome === 'deferred') return state
  if (outcome === 'dismissed') return { ...state, amplitudes: scaled(state.amplitudes, 0.8) }
  if (outcome === 'contradicted') {
    const confidence = signalled(state.confidence, 0.1)
    const isGivenUp = confidence.confidence <= 0.1 + 1e-9
    const amplitudes = scaled(state.amplitudes, 0.5)
    return { ...state, confidence, amplitudes, resolvedAt: isGivenUp ? at : state.resolvedAt }
  }
  const accessedAt = [...state.accessedAt, at].sort((one, other) => one - other)
  const read = { ...state, accessCount: state.accessCount + 1, accessedAt: accessedAt.slice(-100) }
  if (outcome === 'used') return read
  const amplitudes = scaled(state.amplitudes, 1.2)
  return { ...read, touchedAt: at, resolvedAt: at, confidence: signalled(state.confidence, 0.9), amplitudes }
}

/** The weight of a link after both its ends were used. */
export function strengthened(weight: number | undefined): number {
  return weight === undefined ? 0.05 : Math.min(1, weight + 0.05)
}

function signalled(before: LearnedState['confidence'], signal: number): LearnedState['confidence'] {
  const { confidence, evidence, corroborations, contradictions } = before
  const weight = evidence + 1 > 20 ? 21 : evidence + 2
  return {
    confidence: confidence + (signal - confidence) / weight,
    evidence: evidence + 1,
    corroborations: signal >= 0.5 ? corroborations + 1 : corroborations,
    contradictions: signal < 0.5 ? contradictions + 1 : contradictions,
  }
}

function scaled(amplitudes: readonly number[], factor: number): readonly number[] {
  return amplitudes.map((amplitude) => {
    const next = amplitude * factor
    if (next < 0.01) return 0
    return next > 100 ? 100 : next
  })
}
