/**
 * Weights of links between records: made, strengthened, weakened, and which of too many a record gives up.
 * Undirected, in (0, 1]; below 0.001 there is no link. `propagate` walks over them.
 */
import type { Link } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { checkNumber } from './check-number.ts'

/** The weight after linking: a given one counts, without one a link that is there stays as it is. Default 0.1. */
export function linkWeight(current: number | undefined, given?: number): number {
  if (given !== undefined) checkNumber('weight', given, tuning.minLinkWeight, 1)
  return given ?? current ?? tuning.linkWeight
}

/** The weight after strengthening, at most 1; what is not linked starts from 0. Default delta 0.05. */
export function strengthenedWeight(current: number | undefined, delta: number = tuning.linkStrengthening): number {
  checkNumber('delta', delta, tuning.minLinkWeight, 1)
  return Math.min((current ?? 0) + delta, 1)
}

/** The weight after weakening; null: the link is gone. Default factor 0.95. */
export function weakenedWeight(current: number, factor: number = tuning.linkWeakening): number | null {
  checkNumber('factor', factor, 0, 1)
  const weight = current * factor
  return weight < tuning.minLinkWeight ? null : weight
}

/** The links a record gives up when it has more than it may: the weakest, of equals those with the lower ids. */
export function excessLinks(links: readonly Link[], max: number = tuning.maxLinks): readonly Link[] {
  return [...links].sort((a, b) => b.weight - a.weight || compareCodePoints(b.id, a.id)).slice(max)
}
