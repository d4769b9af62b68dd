/**
 * Puts the later of two statements about one matter in the place of the earlier one [H1], and a record in the place of one that it
 * supersedes by name. A record can rise over `tuning.changeWindow` places at most, so a larger limit still only appends [S4]. The earlier
 * one stays, right behind it.
 */
import { changeBetween, clausesOfRecord } from '../changes/change-between.ts'
import { isLater } from '../changes/is-later.ts'
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Change } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from '../order/order.ts'

export interface LaterFirst {
  /** In the new order; a record that rose has the score of the one whose place it took. */
  readonly order: readonly Ranked[]
  /** By row, in the order of the other statement's place. */
  readonly changes: ReadonlyMap<number, readonly Change[]>
  /** The original score of each record that rose, by row. */
  readonly rose: ReadonlyMap<number, number>
}

/** Whether the order of this plan's answers follows changes. Policies that reproduce another library keep its order. */
export function followsChanges({ query, policy }: QueryPlan): boolean {
  return query.changes !== 'off' && policy.fusion.kind === 'convex' && !('thresholds' in policy)
}

/** Whether a record can be replaced by another: if none can, no record behind it needs to be read. */
export function canChange(record: StoredRecord): boolean {
  return record.supersededBy !== null || clausesOfRecord(record).length > 0
}

/** The rows of the candidates that are known to replace a record that was read: by name, or because a put noticed it. */
export function successorRows({ records, candidates, contradictions = [] }: Facts, row: number): readonly number[] {
  const record = records.get(row)
  if (record === undefined || (record.supersededBy === null && contradictions.length === 0)) return []
  const noticed = contradictions.flatMap(([later, earlier]) => (earlier === record.id ? [later] : []))
  const ids = record.supersededBy === null ? noticed : [record.supersededBy, ...noticed]
  return ids.map((id) => candidates.ids.indexOf(id)).filter((found) => found !== -1)
}

/**
 * `ranked`: the records in ranking order, read; the last `tuning.changeWindow` of them only rise. `known`: further records that are known to
 * replace one of them, from any rank.
 */
export function laterFirst({ records }: Facts, ranked: readonly Ranked[], further: readonly Ranked[]): LaterFirst {
  const all = [...ranked, ...further]
  const read = all.map(({ row }) => records.get(row)!)
  const pairs = [...pairsAmong(read.slice(0, ranked.length)), ...pairsWith(read, ranked.length)]
  if (pairs.length === 0) return { order: ranked, changes: new Map(), rose: new Map() }
  const place = placesOf(read.length, pairs, ranked.length)
  const replaces = new Set(pairs.map(({ earlier, later }) => `${later} ${earlier}`))
  /** Of records in one place the latest comes first, and the one that held it last. */
  const compare = (a: number, b: number) => {
    if (place[a] !== place[b]) return place[a]! - place[b]!
    if (place[a] === a) return 1
    if (place[b] === b || replaces.has(`${a} ${b}`)) return -1
    if (replaces.has(`${b} ${a}`)) return 1
    return isLater(read[a]!, read[b]!) ? -1 : isLater(read[b]!, read[a]!) ? 1 : a - b
  }
  const order = Array.from(all.keys())
    .filter((i) => i < ranked.length || place[i] !== i)
    .sort(compare)
  const changes = new Map<number, Change[]>()
  for (const { earlier, later, change } of pairs)
    for (const { row } of [all[earlier]!, all[later]!]) changes.set(row, [...(changes.get(row) ?? []), change])
  return {
    order: order.map((i) => (place[i] === i ? all[i]! : { ...all[i]!, score: all[place[i]!]!.score })),
    changes,
    rose: new Map(all.flatMap(({ row, score }, i) => (place[i] === i ? [] : [[row, score] as const]))),
  }
}

interface Pair {
  /** Places in the ranking. */
  readonly earlier: number
  readonly later: number
  readonly change: Change
}

function pairsAmong(read: readonly StoredRecord[]): readonly Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i < read.length; i++)
    for (let j = i + 1; j < read.length && j - i <= tuning.changeWindow; j++) {
      const change = changeBetween(read[i]!, read[j]!)
      if (change !== null)
        pairs.push(change.later === read[j]!.id ? { earlier: i, later: j, change } : { earlier: j, later: i, change })
    }
  return pairs
}

/** The pairs of the further records, from `from` on. */
function pairsWith(read: readonly StoredRecord[], from: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (let later = from; later < read.length; later++)
    for (let earlier = 0; earlier < from; earlier++) {
      const change = changeBetween(read[earlier]!, read[later]!)
      if (change?.later === read[later]!.id) pairs.push({ earlier, later, change })
    }
  return pairs
}

/** The place that each record takes: that of the first which it replaces, also through others, if it is within the window or known. */
function placesOf(length: number, pairs: readonly Pair[], ranked: number): readonly number[] {
  const place = Array.from({ length }, (_, i) => i)
  for (let rises = true; rises; ) {
    rises = false
    for (const { earlier, later } of pairs) {
      const isFar = later < ranked && later - place[earlier]! > tuning.changeWindow
      if (isFar || place[earlier]! >= place[later]!) continue
      place[later] = place[earlier]!
      rises = true
    }
  }
  return place
}
