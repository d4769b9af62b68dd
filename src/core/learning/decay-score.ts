/**
 * How much a record still weighs at an age: its importance, faded by a power law that confidence bends.
 * Refuses numbers for which there is no finite score.
 */
import { tuning } from '../model/tuning.ts'
import { pow } from '../number/pow.ts'
import { checkNumber } from './check-number.ts'

export interface Decaying {
  /** What the record weighs at the age of one day; may be negative. */
  readonly importance: number
  /** Days since its decay clock was set; a future time counts as age 0 [G2]. */
  readonly ageDays: number
  /** Exponent of the power law, 0 to 100. Default 0.1. */
  readonly rate?: number | undefined
  /** 0..1: trusted records fade more slowly, doubted ones faster. Default: no effect, as at 0.5. */
  readonly confidence?: number | undefined
}

/**
 * importance · age^(−rate), with an age of at least 0.01 days; from one day on the exponent is
 * rate · 2^(0.5 − confidence). (Popoto's formula; docs/spec.md#decay.) Throws `INVALID_ARGUMENT`.
 */
export function decayScore({ importance, ageDays, rate = tuning.decayRate, confidence }: Decaying): number {
  checkNumber('importance', importance)
  checkNumber('ageDays', ageDays)
  checkNumber('rate', rate, 0, tuning.maxDecayRate)
  if (confidence !== undefined) checkNumber('confidence', confidence, 0, 1)
  if (importance === 0) return 0
  const age = Math.max(ageDays, tuning.minAgeDays)
  // The source multiplies by max(age, 1)^(rate − bent rate): one power instead of two, so that ages stay in order.
  const exponent = confidence === undefined || age <= 1 ? rate : bentRate(rate, confidence)
  return importance * pow(age, -exponent)
}

function bentRate(rate: number, confidence: number): number {
  return rate * pow(2, 2 * tuning.confidenceModulation * (tuning.startConfidence - confidence))
}
