/** The order of answers [F3]: by score, then by the policy's time, then by id, all descending. */
import { compareCodePoints } from '../text/hash/code-point-order.ts'

export interface Ordered {
  readonly score: number
  /** updatedAt or createdAt, by the policy's `order`. */
  readonly at: number
  readonly id: string
}

/** A candidate with its exact score; `row` is its row in the facts. */
export interface Ranked extends Ordered {
  readonly row: number
}

/** Negative if `a` comes first. */
export function compareRanked(a: Ordered, b: Ordered): number {
  if (a.score !== b.score) return b.score > a.score ? 1 : -1
  if (a.at !== b.at) return b.at > a.at ? 1 : -1
  return compareCodePoints(b.id, a.id)
}
