/**
 * Puts the later of two statements about one matter in the place of the earlier one [H1], at most `tuning.changeWindow` places up. A record
 * that replaces another by name, or as a put noticed, takes its place from any rank. The earlier one stays, behind it.
 * Each place depends only on places above it and on the window behind, so a larger limit still only appends [S4].
 */
import { changeBetween } from '../changes/change-between.ts'
import { clausesOfRecord } from '../changes/clauses-of-record.ts'
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Change } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from '../order/order.ts'

export interface LaterFirst {
  /** In the new order; a record that rose has the score of the one whose place it took. */
  readonly order: readonly Ranked[]
  /** By row. */
  readonly changes: ReadonlyMap<number, readonly Change[]>
  /** The original score of each record that rose, by row. */
  readonly rose: ReadonlyMap<number, number>
  /** Rows that rose from beyond the window: what was folded into them there depends on the limit. */
  readonly far: ReadonlySet<number>
}

/** A record that is known to replace a ranked one and is not ranked itself. */
export interface Successor {
  readonly entry: Ranked
  /** The place of the record into which it was folded; ∞ if it is behind the ranked ones. */
  readonly place: number
}

/** Whether the order of this plan's answers follows changes. Policies that reproduce another library keep its order. */
export function followsChanges({ query, policy }: QueryPlan): boolean {
  return query.changes !== 'off' && policy.fusion.kind === 'convex' && policy.keep === 'best'
}

/** Whether a record can be replaced by another: if none can, no record behind it needs to be read. */
export function canChange(record: StoredRecord): boolean {
  return record.supersededBy !== null || clausesOfRecord(record).length > 0
}

/** `rows` with all candidates that are known to replace one of them, also through others, as far as records were read. */
export function withSuccessors(facts: Facts, rows: readonly number[]): readonly number[] {
  const { records, candidates, contradictions = [] } = facts
  const found = new Set(rows)
  for (const row of found) {
    const record = records.get(row)
    if (record === undefined || (record.supersededBy === null && contradictions.length === 0)) continue
    for (const id of successorIds(record, contradictions)) {
      const later = candidates.ids.indexOf(id)
      if (later !== -1) found.add(later)
    }
  }
  return [...found]
}

/**
 * `ranked`: the records in ranking order, read; the last `tuning.changeWindow` of them only rise. `known`: further records that replace one
 * of them; null if none may rise from beyond the window, because a quota may skip it there.
 */
export function laterFirst(facts: Facts, ranked: readonly Ranked[], known: readonly Successor[] | null): LaterFirst {
  const successors = known ?? []
  const all = [...ranked, ...successors.map(({ entry }) => entry)]
  const ranks = [...ranked.keys(), ...successors.map(() => Number.POSITIVE_INFINITY)]
  const read = all.map(({ row }) => facts.records.get(row)!)
  const named = known === null ? [] : knownPairs(facts, read)
  const pairs = [...named, ...pairsWithin(read.slice(0, ranked.length), named, facts.agreements)]
  if (pairs.length === 0) return { order: ranked, changes: new Map(), rose: new Map(), far: new Set() }
  const places = placesOf(ranks, pairs)
  const isShown = (i: number) =>
    places[i] !== Number.POSITIVE_INFINITY && places[i]! <= (successors[i - ranked.length]?.place ?? places[i]!)
  const groups = new Map<number, number[]>()
  for (const i of all.keys()) if (isShown(i)) groups.set(places[i]!, [...(groups.get(places[i]!) ?? []), i])
  const order = Array.from(groups)
    .sort(([a], [b]) => a - b)
    .flatMap(([place, group]) => latestFirst(read, group, place, pairs.filter(isNear(ranks, place))))
  const rises = (i: number) => i >= ranked.length || places[i]! < i
  return {
    order: order.map((i) => (rises(i) ? { ...all[i]!, score: all[places[i]!]!.score } : all[i]!)),
    changes: changesByRow(all, pairs, { ranks, places }),
    far: new Set(order.filter((i) => ranks[i]! > places[i]! + tuning.changeWindow).map((i) => all[i]!.row)),
    rose: new Map(order.filter(rises).map((i) => [all[i]!.row, all[i]!.score])),
  }
}

interface Pair {
  /** Numbers of the records: places in the ranking, then those of the successors. */
  readonly earlier: number
  readonly later: number
  readonly change: Change
  /** Whether it holds from any rank. */
  readonly isKnown: boolean
}

type Contradictions = readonly (readonly [string, string])[]

function successorIds({ id: own, supersededBy }: StoredRecord, contradictions: Contradictions): readonly string[] {
  const noticed = contradictions.flatMap(([later, earlier]) => (earlier === own ? [later] : []))
  return supersededBy === null ? noticed : [supersededBy, ...noticed]
}

/** Pairs of which one record names the other, or that a put noticed and that are still read as a change. */
function knownPairs({ contradictions = [] }: Facts, read: readonly StoredRecord[]): readonly Pair[] {
  if (contradictions.length === 0 && read.every(({ supersededBy }) => supersededBy === null)) return []
  const numbers = new Map(read.map(({ id }, i) => [id, i]))
  return read.flatMap((record, earlier) =>
    [...new Set(successorIds(record, contradictions))].flatMap((id): Pair[] => {
      const later = numbers.get(id)
      const change = later === undefined ? null : changeBetween(record, read[later]!)
      return change?.later === id ? [{ earlier, later: later!, change, isKnown: true }] : []
    }),
  )
}

/** Other pairs of records that rank near each other. `agreements`: ids of pairs of which both are right. */
function pairsWithin(
  read: readonly StoredRecord[],
  named: readonly Pair[],
  agreements: Contradictions = [],
): readonly Pair[] {
  const agree = new Set(agreements.flatMap(([a, b]) => [JSON.stringify([a, b]), JSON.stringify([b, a])]))
  const areRight = (a: StoredRecord, b: StoredRecord) => agree.size > 0 && agree.has(JSON.stringify([a.id, b.id]))
  const isKnown = new Set(named.flatMap(({ earlier, later }) => [`${earlier} ${later}`, `${later} ${earlier}`]))
  const pairs: Pair[] = []
  for (let i = 0; i < read.length; i++)
    for (let j = i + 1; j < read.length && j - i <= tuning.changeWindow; j++) {
      const isSettled = (isKnown.size > 0 && isKnown.has(`${i} ${j}`)) || areRight(read[i]!, read[j]!)
      const change = isSettled ? null : changeBetween(read[i]!, read[j]!)
      if (change === null) continue
      const [earlier, later] = change.later === read[j]!.id ? [i, j] : [j, i]
      pairs.push({ earlier, later, change, isKnown: false })
    }
  return pairs
}

/**
 * The place that each record takes: that of the first which it replaces, also through others. First all pairs within the window, then
 * the known ones, so that what is known of records far behind does not decide how far others rise.
 */
function placesOf(ranks: readonly number[], pairs: readonly Pair[]): readonly number[] {
  const { changeWindow } = tuning
  const isWithin = ({ earlier, later }: Pair) => Math.abs(ranks[earlier]! - ranks[later]!) <= changeWindow
  const places = [...ranks]
  settle(places, pairs.filter(isWithin), (place, later) => Math.max(place, ranks[later]! - changeWindow))
  settle(
    places,
    pairs.filter(({ isKnown }) => isKnown),
    (place) => place,
  )
  return places
}

function settle(places: number[], pairs: readonly Pair[], taken: (place: number, later: number) => number): void {
  for (let rises = true; rises; ) {
    rises = false
    for (const { earlier, later } of pairs) {
      const place = taken(places[earlier]!, later)
      if (!(place < places[later]!)) continue
      places[later] = place
      rises = true
    }
  }
}

/** Whether a pair counts at a place: ranks further behind depend on the limit. */
function isNear(ranks: readonly number[], place: number): (pair: Pair) => boolean {
  const isRead = (i: number) => ranks[i]! <= place + tuning.changeWindow
  return ({ earlier, later, isKnown }) => isKnown || (isRead(earlier) && isRead(later))
}

/** The records of one place: the latest first, the one that held the place last, and none before one that replaces it. */
function latestFirst(read: readonly StoredRecord[], group: readonly number[], place: number, pairs: readonly Pair[]) {
  if (group.length === 1) return group
  const left = group.toSorted((a, b) => {
    if (a === place || b === place) return a === place ? 1 : -1
    return timeOf(read[b]!) - timeOf(read[a]!) || a - b
  })
  const sorted: number[] = []
  while (left.length > 0) {
    const isReplaced = (i: number) => pairs.some(({ earlier, later }) => earlier === i && left.includes(later))
    const free = left.findIndex((i) => !isReplaced(i))
    sorted.push(...left.splice(Math.max(free, 0), 1))
  }
  return sorted
}

/** The changes that a record states: with records that were read for its place under every limit. */
function changesByRow(
  all: readonly Ranked[],
  pairs: readonly Pair[],
  { ranks, places }: { readonly ranks: readonly number[]; readonly places: readonly number[] },
): LaterFirst['changes'] {
  const changes = new Map<number, Change[]>()
  const add = (i: number, change: Change) => changes.set(all[i]!.row, [...(changes.get(all[i]!.row) ?? []), change])
  for (const pair of pairs.toSorted((a, b) => a.earlier - b.earlier || a.later - b.later)) {
    const { earlier, later, change, isKnown } = pair
    if (isKnown || isNear(ranks, places[earlier]!)(pair)) add(earlier, change)
    const isStated = isKnown
      ? places[earlier] === places[later] || ranks[earlier]! <= places[later]! + tuning.changeWindow
      : isNear(ranks, places[later]!)(pair)
    if (isStated) add(later, change)
  }
  return changes
}

function timeOf({ occurredAt, createdAt }: StoredRecord): number {
  return occurredAt ?? createdAt
}
