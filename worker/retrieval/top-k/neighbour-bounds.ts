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
import type { CandidateBudget } from '../question/budget.ts'
import type { CandidateRows } from '../question/key-rows.ts'

export interface NeighbourBounds {
  /** Records to add to the candidates. */
  readonly keys: readonly number[]
  /** Candidates whose neighbours are not all candidates: their scores are lower bounds. */
  readonly inexact: ReadonlySet<number>
  /** Upper bound of the scores of inexact candidates, and of other records that have a neighbour among the candidates. */
  readonly score: number
}

/** The candidates so far, and bounds of the other records. */
export interface PartialCandidates {
  readonly rows: CandidateRows
  readonly bounds: OwnBounds
  readonly sessions: SessionPlaces
  /** Whether a channel finds the record, and no gate excludes it. */
  isEligible(key: number): boolean
  /** Bound of the score without neighbours of a record that is not a candidate. */
  boundOf(key: number): number
  /** Most that the question adds to a record that is not a candidate. */
  readonly amount: number
  /** Records whose scores must be exact. */
  readonly exact: ReadonlySet<number>
}

/** What candidates add to a record of their session at most, and the sum of their shares. */
interface Received {
  amount: number
  share: number
}

export function neighbourBounds(
  policy: ConvexPolicy,
  candidates: PartialCandidates,
  { places, floor }: Pick<CandidateBudget, 'places' | 'floor'>,
): NeighbourBounds {
  const { rows, bounds, exact } = candidates
  const received = receivedFromCandidates(policy, candidates)
  const boundWithNeighbours = boundOfReceiver(policy, candidates, received)
  const least = Math.min(kthLargest(bounds.low, places), floor)
  const contenders: number[] = []
  const inexact = new Set<number>()
  let score = Number.NEGATIVE_INFINITY
  for (const key of receivers(candidates, received)) {
    const bound = boundWithNeighbours(key)
    if (bound >= least || exact.has(key)) contenders.push(key)
    else {
      score = Math.max(score, bound)
      if (rows.rowOf(key) !== -1) inexact.add(key)
    }
  }
  const added = new Set(contenders.filter((key) => rows.rowOf(key) === -1))
  for (const giver of neighboursOf(contenders, policy, candidates)) {
    if (rows.rowOf(giver) !== -1 || added.has(giver) || !candidates.isEligible(giver)) continue
    added.add(giver)
    inexact.add(giver)
  }
  return { keys: [...added], inexact, score }
}

function receivedFromCandidates(
  { fusion: { neighbours } }: ConvexPolicy,
  { rows, bounds, sessions }: PartialCandidates,
): ReadonlyMap<number, Received> {
  const { before = [], after = [] } = neighbours ?? {}
  const reach = Math.max(before.length, after.length)
  const received = new Map<number, Received>()
  const contribute = (from: number, distance: number, share: number, most: number) => {
    const key = share === 0 ? undefined : sessions.at(sessions.groups[from]!, sessions.places[from]! + distance)
    if (key === undefined) return
    const sum = received.get(key)
    if (sum === undefined) received.set(key, { amount: share * most, share })
    else {
      sum.amount += share * most
      sum.share += share
    }
  }
  for (const [row, key] of rows.keys.entries()) {
    if (!isSelectable(bounds, row) || (sessions.groups[key] ?? 0) === 0) continue
    for (let away = 1; away <= reach; away++) {
      contribute(key, away, before[away - 1] ?? 0, bounds.given[row]!)
      contribute(key, -away, after[away - 1] ?? 0, bounds.given[row]!)
    }
  }
  return received
}

/** Eligible records of sessions: candidates, and those that have a neighbour among the candidates. */
function* receivers(
  { rows, bounds, sessions, isEligible }: PartialCandidates,
  received: ReadonlyMap<number, Received>,
): Generator<number> {
  for (const key of received.keys()) {
    const row = rows.rowOf(key)
    if (row === -1 ? isEligible(key) : isSelectable(bounds, row)) yield key
  }
  for (const [row, key] of rows.keys.entries())
    if (isSelectable(bounds, row) && (sessions.groups[key] ?? 0) !== 0 && !received.has(key)) yield key
}

function boundOfReceiver(
  policy: ConvexPolicy,
  { rows, bounds, sessions, amount, boundOf }: PartialCandidates,
  received: ReadonlyMap<number, Received>,
): (key: number) => number {
  const total = mostShares(policy)
  const halfLength = policy.fusion.neighbours?.halfLength
  return (key) => {
    const row = rows.rowOf(key)
    const sum = received.get(key) ?? nothing
    const kept = halfLength === undefined ? 1 : receivedShare(sessions.lengths[key]!, halfLength)
    const around = sum.amount + Math.max(0, total - sum.share) * amount
    return withSlack((row === -1 ? boundOf(key) : bounds.own[row]!) + kept * around)
  }
}

function* neighboursOf(
  keys: readonly number[],
  { fusion: { neighbours } }: ConvexPolicy,
  { sessions }: PartialCandidates,
): Generator<number> {
  const reach = Math.max(neighbours?.before.length ?? 0, neighbours?.after.length ?? 0)
  for (const key of keys) {
    for (let away = 1; away <= reach; away++) {
      for (const distance of [-away, away]) {
        const neighbour = sessions.at(sessions.groups[key]!, sessions.places[key]! + distance)
        if (neighbour !== undefined) yield neighbour
      }
    }
  }
}

/** Rows that must not be selected have no lower bound. */
function isSelectable({ low }: OwnBounds, row: number): boolean {
  return low[row] !== Number.NEGATIVE_INFINITY
}

const nothing: Received = { amount: 0, share: 0 }
