/** Several measures of one record as one score: the raw weighted sum of Popoto, in which a missing arm is 0. */
import { checkNumber } from './check-number.ts'

/** In the order in which they are added: a sum of doubles depends on it. */
export const compositeArms = ['decay', 'cyclic', 'confidence', 'access', 'priority'] as const
export type CompositeArm = (typeof compositeArms)[number]

/** Σ weight · arm over the five arms; no arm is scaled. Throws `INVALID_ARGUMENT` for what is no finite number. */
export function compositeScore(
  arms: Readonly<Partial<Record<CompositeArm, number>>>,
  weights: Readonly<Partial<Record<CompositeArm, number>>>,
): number {
  let score = 0
  for (const arm of compositeArms) {
    const [value = 0, weight = 0] = [arms[arm], weights[arm]]
    checkNumber(arm, value)
    checkNumber(`weights.${arm}`, weight)
    score += weight * value
  }
  return score
}
