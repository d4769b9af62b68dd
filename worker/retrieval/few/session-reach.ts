/**
 * Finds the records that may be among the first because neighbours in their session add to them, and the neighbours on which the scores of
 * the first depend. So a gathering of few candidates states the same scores as one of all records of the scope [F4].
 */
import { kthLargest } from '../../../src/core/collections/select-top.ts'
import type { OwnBounds } from '../../../src/core/fusion/convex.ts'
import { mostShares, withSlack } from '../../../src/core/fusion/convex-ceiling.ts'
import { receivedShare } from '../../../src/core/fusion/received-lengths.ts'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import type { SessionPlaces } from '../../store/port/columns.ts'
import type { Breadth } from './breadth.ts'

export interface Reach {
  /** Records to add to the candidates. */
  readonly keys: readonly number[]
  /** Candidates whose neighbours are not all candidates: their scores are lower bounds. */
  readonly inexact: ReadonlySet<number>
  /** No score is above this of a record that has a neighbour among the given candidates, and is inexact or left out. */
  readonly most: number
}

export interface Surroundings {
  readonly rowOf: (key: number) => number
  /** Whether a channel finds the record, and no gate excludes it. */
  readonly isOpen: (key: number) => boolean
  /** Bound of the score without neighbours of a record that is not a candidate. */
  readonly boundOf: (key: number) => number
  /** Most that the question adds to a record that is not a candidate. */
  readonly amount: number
  /** Records whose scores must be exact. */
  readonly exact: ReadonlySet<number>
}

export function reachOf(
  policy: ConvexPolicy,
  sessions: SessionPlaces,
  keys: Uint32Array,
  { low, own, given }: OwnBounds,
  { places, floor }: Pick<Breadth, 'places' | 'floor'>,
  { rowOf, isOpen, boundOf, amount, exact }: Surroundings,
): Reach {
  const { before = [], after = [], halfLength } = policy.fusion.neighbours ?? {}
  const reach = Math.max(before.length, after.length)
  const total = mostShares(policy)
  const least = Math.min(kthLargest(low, places), floor)
  /** By receiver: what the candidates around it give at most, and by which shares. */
  const gifts = new Map<number, { amount: number; share: number }>()
  const isEligible = (row: number) => low[row] !== Number.NEGATIVE_INFINITY
  const inSession = (key: number) => (sessions.groups[key] ?? 0) !== 0
  const give = (from: number, distance: number, share: number, most: number) => {
    const key = share === 0 ? undefined : sessions.at(sessions.groups[from]!, sessions.places[from]! + distance)
    if (key === undefined) return
    const gift = gifts.get(key)
    if (gift === undefined) gifts.set(key, { amount: share * most, share })
    else {
      gift.amount += share * most
      gift.share += share
    }
  }
  for (const [row, key] of keys.entries()) {
    if (!isEligible(row) || !inSession(key)) continue
    for (let away = 1; away <= reach; away++) {
      give(key, away, before[away - 1] ?? 0, given[row]!)
      give(key, -away, after[away - 1] ?? 0, given[row]!)
    }
  }
  const receivers = new Set(gifts.keys())
  for (const [row, key] of keys.entries()) if (isEligible(row) && inSession(key)) receivers.add(key)
  const contenders: number[] = []
  const inexact = new Set<number>()
  let most = Number.NEGATIVE_INFINITY
  for (const key of receivers) {
    const row = rowOf(key)
    if (row === -1 ? !isOpen(key) : !isEligible(row)) continue
    const gift = gifts.get(key) ?? nothing
    const kept = halfLength === undefined ? 1 : receivedShare(sessions.lengths[key]!, halfLength)
    const around = gift.amount + Math.max(0, total - gift.share) * amount
    const bound = withSlack((row === -1 ? boundOf(key) : own[row]!) + kept * around)
    if (bound >= least || exact.has(key)) contenders.push(key)
    else {
      most = Math.max(most, bound)
      if (row !== -1) inexact.add(key)
    }
  }
  const added = new Set(contenders.filter((key) => rowOf(key) === -1))
  for (const key of contenders) {
    for (let away = 1; away <= reach; away++) {
      for (const distance of [-away, away]) {
        const giver = sessions.at(sessions.groups[key]!, sessions.places[key]! + distance)
        if (giver === undefined || rowOf(giver) !== -1 || added.has(giver) || !isOpen(giver)) continue
        added.add(giver)
        inexact.add(giver)
      }
    }
  }
  return { keys: [...added], inexact, most }
}

const nothing = { amount: 0, share: 0 }
