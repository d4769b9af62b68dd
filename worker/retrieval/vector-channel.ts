/**
 * The vector channel: estimates with margins for every record of the scope. Which rows are read exactly is decided
 * later, from the bounds; the estimate alone never orders an answer [V1].
 */

import { kthLargest, selectTop } from '../../src/core/collections/select-top.ts'
import type { VectorFacts } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Ports } from '../methods/common/ports.ts'
import type { Members, Store } from '../store/port/store.ts'
import type { VectorIndex, VectorScan } from '../vector/port.ts'
import { exactCosine } from './exact-cosine.ts'
import { type KeyParts, partition } from './key-parts.ts'
import { vectorNotes } from './vector-notes.ts'

export type FillBounds = (
  low: Float64Array,
  high: Float64Array,
  keys: Uint32Array,
  rowOf: (key: number) => number,
) => void

export interface VectorHits {
  readonly keys: readonly number[]
  /** Sets the bounds on the cosine of each key, by row; keys without a vector stay as they are. */
  readonly fillBounds: FillBounds
  /** Rank from 1 in the whole scope, however deep, and exact cosine; null for a record without a vector. */
  readonly rankOf: (key: number) => { readonly rank: number; readonly cosine: number } | null
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

export function gatherVector(
  plan: QueryPlan,
  { index, store, options }: Ports,
  members: Members | null,
  parts: KeyParts,
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
  // A graph may propose where nothing but the engine's own gates narrows the scope.
  const way = members === null && parts.files === null && plan.query.exact !== true ? undefined : 'exact'
  const nearestOf = (keys: Uint32Array | null) => nearest(vector, index, store, keys, depth, way)
  const found = open.map(nearestOf)
  const all = [...found, ...closed.map(nearestOf)]
  const scans = all.map(({ scan }) => scan)
  const isProposed = scans.some(({ mode }) => mode === 'hnsw')
  const matched = scans.reduce((sum, scan) => sum + scan.matched, 0)
  const inScope = members === null ? store.statistics(null).records : members.keys.length
  // Records of the scope that no vector can bring up.
  const notes = matched < inScope ? vectorNotes(store, options) : []
  return {
    keys: all.flatMap(({ keys }) => keys),
    fillBounds: (low, high, wanted, rowOf) =>
      fillBounds(vector, index, scans, boundForRest(plan, parts, scans), low, high, wanted, rowOf),
    rankOf: (key) => rankOf(vector, index, store, members?.keys ?? store.everyKey().keys, key),
    facts: { space: space.name, ...spreadOf(found.map(({ scan }) => scan)) },
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

/** Of all that may be selected, whatever parts it was scanned in. */
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
 * What is known without a look of every cosine that the scans left out; null where a look must tell. Stages rank the
 * nearest alone, far fewer than the depth, unless rows outside a `files` filter take ranks too; what is surely too far off to
 * be one of them need not be estimated.
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

/** Most candidates come from the scan, which has their estimates; the others get the bound of the rest, or are looked up. */
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
 * Every record that could be among the `depth` best, and few others: those whose upper bound reaches the depth-th best
 * lower bound. Estimates alone would lose some that belong there and keep some that do not [V1].
 */
function nearest(
  query: Float32Array,
  index: VectorIndex,
  store: Store,
  members: Uint32Array | null,
  depth: number,
  way: 'exact' | undefined,
): { readonly scan: VectorScan; readonly keys: readonly number[] } {
  for (let asked = Math.ceil(depth * firstShare); ; asked *= 2) {
    const scan = index.scan(query, members, asked, way)
    if (scan.ceiling === Number.NEGATIVE_INFINITY && scan.keys.length + scan.tied.length <= depth)
      return { scan, keys: [...scan.keys, ...scan.tied] }
    const { low, high } = boundsOf(scan)
    const floor = kthLargest(low, depth)
    // What the scan left out may still belong to the best: look deeper.
    if (scan.ceiling >= floor && scan.ceiling !== Number.NEGATIVE_INFINITY) continue
    const keys: number[] = []
    for (let i = 0; i < scan.keys.length; i++) if (high[i]! >= floor) keys.push(scan.keys[i]!)
    if (scan.tiedEstimate + scan.tiedMargin >= floor) for (const key of scan.tied) keys.push(key)
    return { scan, keys: keys.length > depth * mostShare ? cut(query, store, keys, scan, depth) : keys }
  }
}

/** Of the keys in the order of the scan: those above its cut, then those that tie with it. */
function boundsOf({ keys, estimates, margins, tied, tiedEstimate, tiedMargin }: VectorScan) {
  const low = new Float64Array(keys.length + tied.length).fill(tiedEstimate - tiedMargin, keys.length)
  const high = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    low[i] = estimates[i]! - margins[i]!
    high[i] = estimates[i]! + margins[i]!
  }
  return { low, high }
}

/** Estimates decide where they can, exact cosines where they cannot. */
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

/** More look alike than bounds can part (thousands of copies): the channel's cut by (cosine, id), read exactly. */
function cut(
  query: Float32Array,
  store: Store,
  keys: readonly number[],
  { tied, tiedEstimate, tiedMargin }: VectorScan,
  depth: number,
): readonly number[] {
  // Without a margin, as for zero vectors, the estimate is exact.
  const known = tiedMargin === 0 ? new Set(tied) : new Set<number>()
  const cosines = new Map(
    keys.map((key) => [key, known.has(key) ? tiedEstimate : exactCosine(query, store, key)] as const),
  )
  return selectTop(keys, (key) => cosines.get(key)!, depth, store.idOf)
}

/** Even of one that rounding puts below −1. */
const belowAnyCosine = -2

/** How many records the first scan keeps, in depths: enough that a second scan is rare. */
const firstShare = 2

/** How many candidates may stand for the best, in depths, before they are read to choose among them. */
const mostShare = 4

function withoutHits(why: string): VectorHits {
  return {
    keys: [],
    fillBounds: () => undefined,
    rankOf: () => null,
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
