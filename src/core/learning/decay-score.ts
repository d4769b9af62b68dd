/**
 * Computes the weight of a record at an age: its importance, decayed by a power law whose exponent depends on confidence.
 * Rejects numbers for which the score is not finite.
 */
import { tuning } from '../model/tuning.ts'
import { pow } from '../number/pow.ts'
import { checkNumber } from './check-number.ts'

export interface Decaying {
  /** The weight of the record at an age of one day; may be negative. */
  readonly importance: number
  /** Days since its decay clock was last set; a future time counts as age 0 [G2]. */
  readonly ageDays: number
  /** Exponent of the power law, 0 to 100. Default 0.1. */
  readonly rate?: number | undefined
  /** 0..1: records of high confidence decay more slowly, others faster. Default: no effect, as at 0.5. */
  readonly confidence?: number | undefined
}

/**
 * importance · age^(−rate), with an age of at least 0.01 days; from one day on the exponent is
 * rate · 2^(0.5 − confidence). (Popoto's formula; docs/spec/learning.md#decay.) Throws `INVALID_ARGUMENT`.
 */
export function decayScore({ importance, ageDays, rate = tuning.decayRate, confidence }: Decaying): number {
  checkNumber('importance', importance)
  checkNumber('ageDays', ageDays)
  checkNumber('rate', rate, 0, tuning.maxDecayRate)
  if (confidence !== undefined) checkNumber('confidence', confidence, 0, 1)
  if (importance === 0) return 0
  const age = Math.max(ageDays, tuning.minAgeDays)
  // The source multiplies by max(age, 1)^(rate − adjusted rate). One power instead of two keeps ages in order.
  const exponent = confidence === undefined || age <= 1 ? rate : bentRate(rate, confidence)
  return importance * pow(age, -exponent)
}

function bentRate(rate: number, confidence: number): number {
  return rate * pow(2, 2 * tuning.confidenceModulation * (tuning.startConfidence - confidence))
}
