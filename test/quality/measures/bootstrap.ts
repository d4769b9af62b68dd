/**
 * Computes how certain a difference is: the percentile bootstrap over questions (Efron 1979), paired, so that a
 * question that is hard for both sides cancels out. Seeded: the same scores give the same interval.
 */
import { createRandom } from '../../support/data/random.ts'

export interface Difference {
  readonly mean: number
  /** 95 % interval. */
  readonly low: number
  readonly high: number
  /** Whether the interval excludes 0. */
  readonly isClear: boolean
}

const resamples = 2000

/** Of `changed` to `shipped`, question by question; both in the same order. */
export function differenceOf(changed: readonly number[], shipped: readonly number[]): Difference {
  if (changed.length !== shipped.length) throw new Error(`${changed.length} scores against ${shipped.length}`)
  const differences = Float64Array.from(changed, (score, i) => score - shipped[i]!)
  const random = createRandom(1979)
  const means = new Float64Array(resamples)
  for (let round = 0; round < resamples; round++) {
    let sum = 0
    for (let k = 0; k < differences.length; k++) sum += differences[random.below(differences.length)]!
    means[round] = sum / differences.length
  }
  means.sort()
  const low = means[Math.floor(resamples * 0.025)]!
  const high = means[Math.ceil(resamples * 0.975) - 1]!
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
  return { mean, low, high, isClear: low > 0 || high < 0 }
}

/** In thousandths: `−12 [−18, −6]`, bold when 0 lies outside. */
export function toCell({ mean, low, high, isClear }: Difference): string {
  const text = `${thousandths(mean)} [${thousandths(low)}, ${thousandths(high)}]`
  return isClear ? `**${text}**` : text
}

function thousandths(value: number): string {
  const rounded = (1000 * value).toFixed(1)
  return Number(rounded) === 0 ? '0' : rounded.replace('-', '−').replace(/^(?=\d)/, '+')
}
