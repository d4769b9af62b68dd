/** Computes Popoto's composite score: the weighted sum of several components of a record. A missing component is 0. */
import { checkNumber } from './check-number.ts'

/** In the order of adding: a sum of doubles depends on it. */
export const compositeComponents = ['decay', 'cyclic', 'confidence', 'access', 'priority'] as const
export type CompositeComponent = (typeof compositeComponents)[number]

/** Σ weight · component over the five components, without scaling. Throws `INVALID_ARGUMENT` for values that are not finite numbers. */
export function compositeScore(
  components: Readonly<Partial<Record<CompositeComponent, number>>>,
  weights: Readonly<Partial<Record<CompositeComponent, number>>>,
): number {
  let score = 0
  for (const component of compositeComponents) {
    const [value = 0, weight = 0] = [components[component], weights[component]]
    checkNumber(component, value)
    checkNumber(`weights.${component}`, weight)
    score += weight * value
  }
  return score
}
