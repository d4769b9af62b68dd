/**
 * Computes the weights of links: new, strengthened, weakened; and which links a record with too many loses.
 * Links are undirected, with weights in (0, 1]; a link below 0.001 is deleted. `propagate` follows links.
 */
import type { Link } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { checkNumber } from './check-number.ts'

/** The weight after linking: the given one; without one, the existing weight. Default 0.1. */
export function linkWeight(current: number | undefined, given?: number): number {
  if (given !== undefined) checkNumber('weight', given, tuning.minLinkWeight, 1)
  return given ?? current ?? tuning.linkWeight
}

/** The weight after strengthening, at most 1; a new link starts from 0. Default delta 0.05. */
export function strengthenedWeight(current: number | undefined, delta: number = tuning.linkStrengthening): number {
  checkNumber('delta', delta, tuning.minLinkWeight, 1)
  return Math.min((current ?? 0) + delta, 1)
}

/** The weight after weakening; null: the link is deleted. Default factor 0.95. */
export function weakenedWeight(current: number, factor: number = tuning.linkWeakening): number | null {
  checkNumber('factor', factor, 0, 1)
  const weight = current * factor
  return weight < tuning.minLinkWeight ? null : weight
}

/** The links to delete when a record has too many: the weakest; of equal ones those with the lower ids. */
export function excessLinks(links: readonly Link[], max: number = tuning.maxLinks): readonly Link[] {
  return [...links].sort((a, b) => b.weight - a.weight || compareCodePoints(b.id, a.id)).slice(max)
}
