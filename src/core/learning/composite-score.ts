/** Computes Popoto's composite score: the weighted sum of several components of a record. A missing component is 0. */
import { checkNumber } from './check-number.ts'

/** In the order of adding: a sum of doubles depends on it. */
export const compositeArms = ['decay', 'cyclic', 'confidence', 'access', 'priority'] as const
export type CompositeArm = (typeof compositeArms)[number]

/** Σ weight · component over the five components, without scaling. Throws `INVALID_ARGUMENT` for values that are not finite numbers. */
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
