/**
 * Computes when a record is due, from its cycles and from the pressure that builds up until the record is resolved.
 * Rejects numbers for which the score is not finite.
 */
import type { Cycle } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { cos } from '../number/cos.ts'
import { checkNumber } from './check-number.ts'
import { type Decaying, decayScore } from './decay-score.ts'

export interface Due {
  readonly cycles: readonly Cycle[]
  readonly nowMs: number
  /** Score per day since the record was last resolved. Default 0. */
  readonly pressureRate?: number | undefined
  /** When it was last resolved, ms; a future time counts as now. */
  readonly lastResolvedMs: number
}

/** Like `Due`. The pressure of a record that was never resolved builds up from the time its decay clock was last set. */
export type Cyclic = Decaying & Omit<Due, 'lastResolvedMs'> & { readonly lastResolvedMs?: number | null | undefined }

/**
 * `decayScore` + Σ amplitude · cos(2π (now − phase) / period) + pressureRate · days since resolved.
 * (Popoto's formula; docs/spec/learning.md#cycles-and-pressure.) Throws `INVALID_ARGUMENT`.
 */
export function cyclicScore(record: Cyclic): number {
  const { nowMs, ageDays } = record
  const lastResolvedMs = record.lastResolvedMs ?? nowMs - Math.max(ageDays, 0) * tuning.msPerDay
  return decayScore(record) + dueScore({ ...record, lastResolvedMs })
}

/** The part of `cyclicScore` without decay: what makes a record due now. */
export function dueScore({ cycles, nowMs, pressureRate = 0, lastResolvedMs }: Due): number {
  checkNumber('nowMs', nowMs, -tuning.maxTimestampMs, tuning.maxTimestampMs)
  checkNumber('lastResolvedMs', lastResolvedMs)
  checkNumber('pressureRate', pressureRate, 0, tuning.maxImportance)
  const boost = cycles.reduce((sum, cycle) => sum + cyclicBoost(cycle, nowMs), 0)
  return boost + pressureRate * (Math.max(nowMs - lastResolvedMs, 0) / tuning.msPerDay)
}

/** Amplitudes as they count: 0..100; below 0.01 they count 0. */
export function countedAmplitude(amplitude: number): number {
  return amplitude < tuning.minAmplitude ? 0 : Math.min(amplitude, tuning.maxAmplitude)
}

function cyclicBoost({ periodSeconds, amplitude, phaseSeconds }: Cycle, nowMs: number): number {
  checkNumber('periodSeconds', periodSeconds, tuning.minCycleSeconds)
  checkNumber('amplitude', amplitude)
  checkNumber('phaseSeconds', phaseSeconds)
  // The remainder is exact, so a cycle stays exact after many periods.
  const elapsed = (nowMs / 1000 - phaseSeconds) % periodSeconds
  return countedAmplitude(amplitude) * cos((2 * pi * elapsed) / periodSeconds)
}

const pi = 3.141592653589793
