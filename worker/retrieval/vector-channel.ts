/**
 * The vector channel: estimates with margins for every record of the scope. Deciding chooses from these bounds which
 * rows are read exactly. An estimate alone never orders an answer [V1].
 */

import { kthLargest, selectTop } from '../../src/core/collections/select-top.ts'
import type { VectorFacts } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Members, Store } from '../store/port/store.ts'
import type { VectorIndex, VectorScan } from '../vector/port.ts'
import type { Breadth } from './breadth.ts'
import { exactCosine } from './exact-cosine.ts'
import { type KeyParts, partition } from './key-parts.ts'
import type { RetrievalPorts } from './ports.ts'
import { vectorNotes } from './vector-notes.ts'

export type FillBounds = (
  low: Float64Array,
  high: Float64Array,
  keys: Uint32Array,
  rowOf: (key: number) => number,
) => void

export interface VectorHits {
  readonly keys: readonly number[]
  /** No cosine of a record that a narrow scan leaves out is above this; −Infinity if it leaves out none. */
  readonly ceiling: number
  /** Sets the bounds of the cosine of each key, by row. Leaves the rows of keys without a vector unchanged. */
  readonly fillBounds: FillBounds
  /** Rank in the whole scope, from 1, and exact cosine; null for a record without a vector. */
  readonly rankOf: (key: number) => { readonly rank: number; readonly cosine: number } | null
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

export function gatherVector(
  plan: QueryPlan,
  { index, store, options }: RetrievalPorts,
  members: Members | null,
  parts: KeyParts,
  /** How many of the nearest records become candidates; null: all that may be within the depth of the policy. */
  breadth: Breadth | null,
): VectorHits {
  const { vector } = plan
  const space = store.space()
  if (vector === null || index === null || space === null) {
    return withoutHits(
      plan.listing ? 'the query has no vector' : (plan.withoutVector ?? 'the store has no embedding space'),
    )
  }
  const depth = plan.policy.depths.vector
  if (depth === 0) return withoutHits('the policy does not use it')
  const { open, closed } = partition(members?.keys ?? null, parts, store.everyKey)
  // With other filters than the engine’s own gates the graph is not used.
  const way = members === null && parts.files === null && plan.query.exact !== true ? undefined : 'exact'
  const nearestOf = (keys: Uint32Array | null) =>
    breadth === null
      ? nearest(vector, index, store, keys, depth, way)
      : fewNearest(index.scan(vector, keys, breadth.nearest, 'exact'))
  const eligible = open.map(nearestOf)
  const all = [...eligible, ...closed.map(nearestOf)]
  const scans = all.map(({ scan }) => scan)
  const isProposed = scans.some(({ mode }) => mode === 'hnsw')
  const matched = scans.reduce((sum, scan) => sum + scan.matched, 0)
  const inScope = members === null ? store.statistics(null).records : members.keys.length
  // Some records of the scope have no vector.
  const notes = matched < inScope ? vectorNotes(store, options) : []
  return {
    keys: all.flatMap(({ keys }) => keys),
    ceiling: breadth === null ? Number.NEGATIVE_INFINITY : Math.max(...scans.map(({ ceiling }) => ceiling)),
    fillBounds: (low, high, candidates, rowOf) =>
      fillBounds(vector, index, scans, boundForRest(plan, parts, scans), low, high, candidates, rowOf),
    rankOf: (key) => rankOf(vector, index, store, members?.keys ?? store.everyKey().keys, key),
    facts: { space: space.name, ...spreadOf(eligible.map(({ scan }) => scan)) },
    plan: {
      ran: true,
      ...(notes.length === 0 ? {} : { why: notes.join('; ') }),
      mode: isProposed ? 'hnsw' : plan.scope.tags === undefined ? 'exact' : 'exact-tag',
      scanned: scans.reduce((sum, { scanned }) => sum + scanned, 0),
      matched,
      complete: !isProposed && notes.length === 0,
    },
  }
}

/** Mean and deviation over all eligible records, combined from the scans of their parts. */
function spreadOf(scans: readonly VectorScan[]): Omit<VectorFacts, 'space'> {
  const [only] = scans
  const bestOf = ({ keys, estimates, tiedEstimate }: VectorScan) =>
    Math.max(keys.length > 0 ? estimates[0]! : tiedEstimate, -1)
  if (only !== undefined && scans.length === 1)
    return { mean: only.mean, deviation: only.deviation, best: bestOf(only), records: only.matched }
  let records = 0
  let sum = 0
  let squares = 0
  for (const { matched, mean, deviation } of scans) {
    records += matched
    sum += matched * mean
    squares += matched * (deviation * deviation + mean * mean)
  }
  const mean = records === 0 ? 0 : sum / records
  const variance = records === 0 ? 0 : squares / records - mean * mean
  return { mean, deviation: Math.sqrt(Math.max(0, variance)), best: Math.max(...scans.map(bestOf)), records }
}

/**
 * An upper bound of all cosines that the scans left out, if no estimate is needed for them; otherwise null. Stages rank only
 * the nearest records, far fewer than the depth, unless rows outside a `files` filter take ranks, too. Records that are
 * provably too far away need no estimate.
 */
function boundForRest(
  { needs: { leastCosine } }: QueryPlan,
  { files }: KeyParts,
  scans: readonly VectorScan[],
): number | null {
  if (leastCosine === null || files !== null || scans.some(({ mode }) => mode === 'hnsw')) return null
  const bound = Math.max(...scans.map((scan) => Math.max(scan.ceiling, scan.tiedEstimate + scan.tiedMargin)))
  return bound < leastCosine ? bound : null
}

/** Most candidates have estimates from the scans. The others get the bound of the rest, or a new estimate. */
function fillBounds(
  query: Float32Array,
  index: VectorIndex,
  scans: readonly VectorScan[],
  rest: number | null,
  low: Float64Array,
  high: Float64Array,
  keys: Uint32Array,
  rowOf: (key: number) => number,
): void {
  const set = (row: number, estimate: number, margin: number) => {
    low[row] = estimate - margin
    high[row] = estimate + margin
  }
  for (const scan of scans) {
    for (let i = 0; i < scan.keys.length; i++) {
      const row = rowOf(scan.keys[i]!)
      if (row !== -1) set(row, scan.estimates[i]!, scan.margins[i]!)
    }
  }
  if (!low.some(Number.isNaN)) return
  if (rest !== null) {
    for (let row = 0; row < keys.length; row++) {
      if (!Number.isNaN(low[row]) || !index.has(keys[row]!)) continue
      low[row] = belowAnyCosine
      high[row] = rest
    }
    return
  }
  const others = keys.filter((_, row) => Number.isNaN(low[row]))
  const { estimates, margins } = index.estimate(query, others)
  for (let i = 0; i < others.length; i++) {
    set(rowOf(others[i]!), estimates[i]!, margins[i]!)
  }
}

/**
 * Every record that could be among the `depth` best, and few others: records whose upper bound is at least the depth-th
 * best lower bound. Choosing by estimates alone could miss some of the best [V1].
 */
function nearest(
  query: Float32Array,
  index: VectorIndex,
  store: Store,
  members: Uint32Array | null,
  depth: number,
  way: 'exact' | undefined,
): { readonly scan: VectorScan; readonly keys: readonly number[] } {
  for (let scanDepth = Math.ceil(depth * firstShare); ; scanDepth *= 2) {
    const scan = index.scan(query, members, scanDepth, way)
    if (scan.ceiling === Number.NEGATIVE_INFINITY && scan.keys.length + scan.tied.length <= depth)
      return { scan, keys: [...scan.keys, ...scan.tied] }
    const { low, high } = boundsOf(scan)
    const floor = kthLargest(low, depth)
    // A record that the scan left out may still be among the best: scan deeper.
    if (scan.ceiling >= floor && scan.ceiling !== Number.NEGATIVE_INFINITY) continue
    const keys: number[] = []
    for (let i = 0; i < scan.keys.length; i++) if (high[i]! >= floor) keys.push(scan.keys[i]!)
    if (scan.tiedEstimate + scan.tiedMargin >= floor) for (const key of scan.tied) keys.push(key)
    return { scan, keys: keys.length > depth * mostShare ? cut(query, store, keys, scan, depth) : keys }
  }
}

/** All records that a scan of small depth keeps, with those that tie with the last. */
function fewNearest(scan: VectorScan): { readonly scan: VectorScan; readonly keys: readonly number[] } {
  return { scan, keys: [...scan.keys, ...scan.tied] }
}

/** Bounds of the keys in the order of the scan: keys above the cut, then keys that tie with it. */
function boundsOf({ keys, estimates, margins, tied, tiedEstimate, tiedMargin }: VectorScan) {
  const low = new Float64Array(keys.length + tied.length).fill(tiedEstimate - tiedMargin, keys.length)
  const high = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    low[i] = estimates[i]! - margins[i]!
    high[i] = estimates[i]! + margins[i]!
  }
  return { low, high }
}

/** Counts better records by their bounds, and reads exact cosines only where the bounds overlap. */
function rankOf(query: Float32Array, index: VectorIndex, store: Store, keys: Uint32Array, key: number) {
  const own = index.estimate(query, Uint32Array.of(key))
  if (!(own.estimates[0] !== undefined && Number.isFinite(own.estimates[0]))) return null
  const cosine = exactCosine(query, store, key)
  const { estimates, margins } = index.estimate(query, keys)
  let better = 0
  for (let i = 0; i < keys.length; i++) {
    const [estimate, margin] = [estimates[i]!, margins[i]!]
    if (estimate - margin > cosine) better++
    else if (estimate + margin > cosine && exactCosine(query, store, keys[i]!) > cosine) better++
  }
  return { rank: better + 1, cosine }
}

/** Too many records have overlapping bounds (thousands of copies): reads their exact cosines and cuts by (cosine, id). */
function cut(
  query: Float32Array,
  store: Store,
  keys: readonly number[],
  { tied, tiedEstimate, tiedMargin }: VectorScan,
  depth: number,
): readonly number[] {
  // An estimate with margin 0 is exact, for example that of a zero vector.
  const exactlyTied = tiedMargin === 0 ? new Set(tied) : new Set<number>()
  const cosines = new Map(
    keys.map((key) => [key, exactlyTied.has(key) ? tiedEstimate : exactCosine(query, store, key)] as const),
  )
  return selectTop(keys, (key) => cosines.get(key)!, depth, store.idOf)
}

/** Below every cosine, including cosines that rounding puts below −1. */
const belowAnyCosine = -2

/** The first scan keeps this many times `depth` records, so that a second scan is rare. */
const firstShare = 2

/** Above this many times `depth` candidates, exact cosines choose the best `depth`. */
const mostShare = 4

function withoutHits(why: string): VectorHits {
  return {
    keys: [],
    ceiling: Number.NEGATIVE_INFINITY,
    fillBounds: () => undefined,
    rankOf: () => null,
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
