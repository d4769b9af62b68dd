/**
 * Updates the confidence in a record from signals for and against it: a running mean that starts at one half.
 * Rejects signals and states outside 0..1.
 */
import { recallError } from '../model/errors.ts'
import { tuning } from '../model/tuning.ts'
import { checkNumber } from './check-number.ts'

export interface ConfidenceState {
  /** 0..1. */
  readonly confidence: number
  /** Number of signals so far. */
  readonly evidence: number
  /** Number of signals of at least 0.5. */
  readonly corroborations: number
  /** Number of signals below 0.5. */
  readonly contradictions: number
}

/**
 * How much a signal changes confidence. `bounded`: as one of min(signals, 20) + 1 and the start value. Below the cap the order
 * of signals does not matter; above it the record can still learn. `sqrt`: Popoto's older rule, 1 / √signals, in which the first
 * signal replaces the start value.
 */
export type ConfidenceRule = 'bounded' | 'sqrt'

export const startingConfidence: ConfidenceState = Object.freeze({
  confidence: tuning.startConfidence,
  evidence: 0,
  corroborations: 0,
  contradictions: 0,
})

/**
 * The state after one signal, 0..1: c + (s − c) / (min(n + 1, 20) + 1), or c + (s − c) / √(n + 1), with n signals before.
 * (Popoto's formulas; docs/spec/learning.md#confidence.) Throws `INVALID_ARGUMENT`.
 */
export function updateConfidence(
  state: Omit<ConfidenceState, 'corroborations' | 'contradictions'> & Partial<ConfidenceState>,
  signal: number,
  rule: ConfidenceRule = 'bounded',
): ConfidenceState {
  const { confidence, evidence, corroborations = 0, contradictions = 0 } = state
  checkNumber('confidence', confidence, 0, 1)
  checkNumber('evidence', evidence, 0, Number.MAX_SAFE_INTEGER)
  checkNumber('signal', signal, 0, 1)
  const speaksFor = signal >= tuning.startConfidence
  return {
    confidence: clamp(confidence + (signal - confidence) / divisorOf(rule, evidence + 1)),
    evidence: evidence + 1,
    corroborations: corroborations + (speaksFor ? 1 : 0),
    contradictions: contradictions + (speaksFor ? 0 : 1),
  }
}

function divisorOf(rule: ConfidenceRule, signals: number): number {
  if (rule === 'bounded') return Math.min(signals, tuning.confidenceEvidenceCap) + 1
  if (rule === 'sqrt') return Math.sqrt(signals)
  throw recallError('INVALID_ARGUMENT', 'must be a rule of confidence', {
    field: 'rule',
    value: rule,
    hint: 'Use "bounded" or "sqrt".',
  })
}

function clamp(confidence: number): number {
  return Math.min(Math.max(confidence, 0), 1)
}
