/**
 * The vector channel: estimates with margins for every record of the scope. Deciding chooses from these bounds which
 * rows are read exactly. An estimate alone never orders an answer [V1].
 */

import type { VectorFacts } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import { noKeys, type VectorIndex, type VectorScan } from '../vector/port.ts'
import { type KeyParts, type Keys, scopeParts } from './key-parts.ts'
import type { RetrievalPorts } from './ports.ts'
import { exactCosine } from './reading/exact-cosine.ts'
import { vectorNotes } from './vector-notes.ts'
import { type Look, withinDepth } from './within-depth.ts'

export type FillBounds = (
  low: Float64Array,
  high: Float64Array,
  keys: Uint32Array,
  rowOf: (key: number) => number,
) => void

/** The records of one breadth. */
export interface NearRecords {
  readonly keys: readonly number[]
  /** No cosine of a record that is left out is above this; −Infinity if none is left out. */
  readonly ceiling: number
  /** Sets the bounds of the cosine of each key, by row. Leaves the rows of keys without a vector unchanged. */
  readonly fillBounds: FillBounds
}

export interface VectorHits {
  /** Number of nearest records, plus all that tie; Infinity: every record. The policy or the graph sets it if it limits the channel. */
  within(nearest: number): NearRecords
  /** Whether the channel finds the record, which must be one of the scope. */
  has(key: number): boolean
  /** Upper bounds of cosines; −Infinity for a record without a vector. */
  upperOf(keys: Keys): Float64Array
  /** Rank in the whole scope, from 1, and exact cosine; null for a record without a vector. */
  readonly rankOf: (key: number) => { readonly rank: number; readonly cosine: number } | null
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

/** `nearest`: the breadth that is asked for first. */
export function gatherVector(
  plan: QueryPlan,
  { index, store, options }: RetrievalPorts,
  scopeKeys: KeySet | null,
  parts: KeyParts,
  nearest: number,
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
  const { open, closed } = scopeParts(scopeKeys, parts, store.everyKey)
  // With other filters than the engine’s own gates the graph is not used.
  const way = scopeKeys === null && parts.files === null && plan.query.exact !== true ? undefined : 'exact'
  const inParts = (look: (keys: Uint32Array | null, except: ReadonlySet<number>) => Look) => {
    const eligible = open.map((keys) => look(keys, keys === null ? parts.closed : noKeys))
    return { eligible, looks: [...eligible, ...closed.map((keys) => look(keys, noKeys))] }
  }
  const cut = () => inParts((keys, except) => withinDepth(vector, index, store, keys, depth, way, except))
  const lookFor = (some: number) =>
    inParts((keys, except) =>
      some === Number.POSITIVE_INFINITY
        ? all(vector, index, store, keys, except)
        : few(index.scan(vector, keys, some, 'exact', except)),
    )
  const isProposing = ({ looks }: ReturnType<typeof cut>) => looks.some(({ scan }) => scan.mode === 'hnsw')
  // The depth is the number of records that a graph proposes, whatever the limit.
  const { allMatches } = plan.needs
  const cutFirst = !allMatches || (index.kind === 'hnsw' && way === undefined) ? cut() : null
  const isProposed = cutFirst !== null && isProposing(cutFirst)
  const isCut = isProposed || !allMatches
  const first = isCut ? cutFirst! : lookFor(nearest)
  const firstScans = first.looks.map(({ scan }) => scan)
  const matched = firstScans.reduce((sum, scan) => sum + scan.matched, 0)
  const inScope = scopeKeys === null ? store.statistics(null).records : scopeKeys.keys.length
  // Some records of the scope have no vector.
  const notes = matched < inScope ? vectorNotes(store, options) : []
  const proposed = isProposed ? new Set(first.looks.flatMap(({ keys }) => keys)) : null
  return {
    within(some) {
      const { looks } = some === nearest || isCut ? first : lookFor(some)
      const scans = looks.map(({ scan }) => scan)
      return {
        keys: looks.flatMap(({ keys }) => keys),
        ceiling: Math.max(...looks.map(({ ceiling }) => ceiling)),
        fillBounds: (low, high, candidates, rowOf) =>
          fillBounds(vector, index, scans, boundForRest(plan, parts, scans), low, high, candidates, rowOf),
      }
    },
    has: (key) => (proposed === null ? index.has(key) : proposed.has(key)),
    upperOf(keys) {
      const { estimates, margins } = index.estimate(vector, keys instanceof Uint32Array ? keys : Uint32Array.from(keys))
      for (let i = 0; i < keys.length; i++)
        estimates[i] = Number.isNaN(estimates[i]) ? Number.NEGATIVE_INFINITY : estimates[i]! + margins[i]!
      return estimates
    },
    rankOf: (key) => rankOf(vector, index, store, scopeKeys?.keys ?? store.everyKey().keys, key),
    facts: { space: space.name, ...spreadOf(first.eligible.map(({ scan }) => scan)) },
    plan: {
      ran: true,
      ...(notes.length === 0 ? {} : { why: notes.join('; ') }),
      mode: isProposed ? 'hnsw' : plan.scope.tags === undefined ? 'exact' : 'exact-tag',
      scanned: firstScans.reduce((sum, { scanned }) => sum + scanned, 0),
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

/** All records that a scan of small depth keeps, with those that tie with the last. */
function few(scan: VectorScan): Look {
  return { scan, keys: [...scan.keys, ...scan.tied], ceiling: scan.ceiling }
}

/** Every record that has a vector. The scan is made for its statistics. */
function all(
  query: Float32Array,
  index: VectorIndex,
  store: Store,
  keys: Uint32Array | null,
  except: ReadonlySet<number>,
): Look {
  const scan = index.scan(query, keys, 1, 'exact', except)
  const found = Array.from(keys ?? store.everyKey().keys).filter((key) => index.has(key))
  return { scan, keys: found, ceiling: Number.NEGATIVE_INFINITY }
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

/** Below every cosine, including cosines that rounding puts below −1. */
const belowAnyCosine = -2

const noRecords: NearRecords = { keys: [], ceiling: Number.NEGATIVE_INFINITY, fillBounds: () => undefined }

function withoutHits(why: string): VectorHits {
  return {
    within: () => noRecords,
    has: () => false,
    upperOf: (keys) => new Float64Array(keys.length).fill(Number.NEGATIVE_INFINITY),
    rankOf: () => null,
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
