/**
 * The state of a link between two records, so that two devices can merge it: the weight that was last set, and what each device has
 * added since. Concurrent strengthenings add up, and a weakened link does not rise again by a merge.
 */
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface LinkState {
  /** The lives of the records with the smaller and the greater id: a link ends with either life. */
  readonly lives: readonly [number, number]
  /** The weight as it was last set, weakened or removed (0); null: it was only strengthened. */
  readonly set: { readonly weight: number; readonly stamp: Stamp } | null
  /** What devices have added since then, by device. */
  readonly added: readonly { readonly sum: number; readonly stamp: Stamp }[]
}

export function newLink(lives: LinkState['lives']): LinkState {
  return { lives, set: null, added: [] }
}

/** The weight, 0..1; 0 if it is below the least weight. */
export function weightOf({ set, added }: LinkState): number {
  const weight = added.reduce((sum, entry) => sum + entry.sum, set?.weight ?? 0)
  return weight < tuning.minLinkWeight ? 0 : Math.min(weight, 1)
}

/** Sets the weight; 0 removes the link. */
export function setWeight({ lives }: LinkState, weight: number, stamp: Stamp): LinkState {
  return { lives, set: { weight, stamp }, added: [] }
}

/** Adds to the weight, up to 1. */
export function addWeight(link: LinkState, delta: number, stamp: Stamp): LinkState {
  const own = link.added.find((entry) => entry.stamp.device === stamp.device)
  const sum = (own?.sum ?? 0) + Math.min(delta, 1 - weightOf(link))
  return { ...link, added: sorted([...link.added.filter((entry) => entry !== own), { sum, stamp }]) }
}

/** Two states of the same lives. Additions to an older set weight are either part of the newer one or replaced by it. */
export function mergeLinks(a: LinkState, b: LinkState): LinkState {
  const order = compareSet(a.set, b.set)
  if (order !== 0) return order > 0 ? a : b
  const added = new Map(a.added.map((entry) => [entry.stamp.device, entry]))
  for (const entry of b.added) {
    const other = added.get(entry.stamp.device)
    if (other === undefined || (compareStamps(entry.stamp, other.stamp) || entry.sum - other.sum) > 0)
      added.set(entry.stamp.device, entry)
  }
  return { ...a, added: sorted([...added.values()]) }
}

function compareSet(a: LinkState['set'], b: LinkState['set']): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return compareStamps(a.stamp, b.stamp) || a.weight - b.weight
}

function sorted(added: LinkState['added']): LinkState['added'] {
  return added.toSorted((a, b) => compareCodePoints(a.stamp.device, b.stamp.device))
}
