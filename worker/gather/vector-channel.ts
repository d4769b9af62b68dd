/**
 * The vector channel: estimates with margins for every record of the scope. Which rows are read exactly is decided
 * later, from the bounds; the estimate alone never orders an answer (law V1).
 */
import type { VectorFacts } from '../../src/core/fusion/facts.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import { kthLargest, selectTop } from '../../src/core/sketch/select-top.ts'
import type { Ports } from '../ports.ts'
import type { Members, Store } from '../store/port.ts'
import type { VectorIndex, VectorScan } from '../vector/port.ts'
import type { ClosedKeys } from './closed-keys.ts'
import { exactCosine } from './exact-cosine.ts'

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
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

export function gatherVector(
  plan: QueryPlan,
  { index, store }: Ports,
  members: Members | null,
  closed: ClosedKeys,
): VectorHits {
  const { vector } = plan
  const space = store.space()
  if (vector === null || index === null || space === null) {
    return withoutHits(
      plan.listing ? 'the query has no vector' : (plan.withoutVector ?? 'the store has no embedding space'),
    )
  }
  const depth = plan.policy.depths.vector
  const parts = partMembers(members, closed, store)
  const { scan, keys } = nearest(vector, index, store, parts.open, depth)
  const shut = parts.shut.length === 0 ? null : nearest(vector, index, store, parts.shut, depth)
  const best = scan.keys.length > 0 ? (scan.estimates[0] as number) : scan.tiedEstimate
  return {
    keys: shut === null ? keys : [...keys, ...shut.keys],
    fillBounds: (low, high, wanted, rowOf) => fillBounds(vector, index, scan, low, high, wanted, rowOf),
    facts: {
      space: space.name,
      mean: scan.mean,
      deviation: scan.deviation,
      best: Math.max(best, -1),
      records: scan.matched,
    },
    plan: {
      ran: true,
      mode: plan.scope.tags === undefined ? 'exact' : 'exact-tag',
      scanned: scan.scanned + (shut?.scan.scanned ?? 0),
      matched: scan.matched + (shut?.scan.matched ?? 0),
      complete: index.kind === 'exact',
    },
  }
}

/** Most candidates come from the scan, which has their estimates; the others are looked up. */
function fillBounds(
  query: Float32Array,
  index: VectorIndex,
  scan: VectorScan,
  low: Float64Array,
  high: Float64Array,
  keys: Uint32Array,
  rowOf: (key: number) => number,
): void {
  const set = (row: number, estimate: number, margin: number) => {
    low[row] = estimate - margin
    high[row] = estimate + margin
  }
  for (let i = 0; i < scan.keys.length; i++) {
    const row = rowOf(scan.keys[i] as number)
    if (row !== -1) set(row, scan.estimates[i] as number, scan.margins[i] as number)
  }
  if (!low.some(Number.isNaN)) return
  const others = keys.filter((_, row) => Number.isNaN(low[row]))
  const { estimates, margins } = index.estimate(query, others)
  for (let i = 0; i < others.length; i++) {
    set(rowOf(others[i] as number), estimates[i] as number, margins[i] as number)
  }
}

/** The keys to scan: null for all. Closed ones are scanned apart, so that they take no place of the others. */
function partMembers(
  members: Members | null,
  closed: ClosedKeys,
  store: Store,
): { readonly open: Uint32Array | null; readonly shut: Uint32Array } {
  if (closed.size === 0) return { open: members?.keys ?? null, shut: new Uint32Array(0) }
  const keys = (members ?? store.everyKey()).keys
  return { open: keys.filter((key) => !closed.has(key)), shut: keys.filter((key) => closed.has(key)) }
}

/**
 * Every record that could be among the `depth` best, and few others: those whose upper bound reaches the depth-th best
 * lower bound. Estimates alone would lose some that belong there and keep some that do not (law V1).
 */
function nearest(
  query: Float32Array,
  index: VectorIndex,
  store: Store,
  members: Uint32Array | null,
  depth: number,
): { readonly scan: VectorScan; readonly keys: readonly number[] } {
  for (let asked = Math.ceil(depth * firstShare); ; asked *= 2) {
    const scan = index.scan(query, members, asked)
    const { low, high } = boundsOf(scan)
    const floor = kthLargest(low, depth)
    // What the scan left out may still belong to the best: look deeper.
    if (scan.ceiling >= floor && scan.ceiling !== Number.NEGATIVE_INFINITY) continue
    const keys: number[] = []
    for (let i = 0; i < scan.keys.length; i++) if ((high[i] as number) >= floor) keys.push(scan.keys[i] as number)
    if (scan.tiedEstimate + scan.tiedMargin >= floor) for (const key of scan.tied) keys.push(key)
    return { scan, keys: keys.length > depth * mostShare ? cut(query, store, keys, scan, depth) : keys }
  }
}

/** Of the keys in the order of the scan: those above its cut, then those that tie with it. */
function boundsOf({ keys, estimates, margins, tied, tiedEstimate, tiedMargin }: VectorScan) {
  const low = new Float64Array(keys.length + tied.length).fill(tiedEstimate - tiedMargin, keys.length)
  const high = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    low[i] = (estimates[i] as number) - (margins[i] as number)
    high[i] = (estimates[i] as number) + (margins[i] as number)
  }
  return { low, high }
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
  return selectTop(keys, (key) => cosines.get(key) as number, depth, store.idOf)
}

/** How many records the first scan keeps, in depths: enough that a second scan is rare. */
const firstShare = 2

/** How many candidates may stand for the best, in depths, before they are read to choose among them. */
const mostShare = 4

function withoutHits(why: string): VectorHits {
  return {
    keys: [],
    fillBounds: () => undefined,
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
