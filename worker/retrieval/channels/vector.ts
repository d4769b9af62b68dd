/**
 * The vector channel: estimates with margins for every record of the scope. Deciding chooses from these bounds which
 * rows are read exactly. An estimate alone never orders an answer [V1].
 */

import type { CandidateTable, VectorFacts } from '../../../src/core/model/facts.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../../src/core/model/result.ts'
import { noKeys, type VectorScan } from '../../vector/port.ts'
import { type Comparison, exactCosine } from '../candidates/exact-cosine.ts'
import type { CandidateBudget } from '../question/budget.ts'
import { type KeyParts, type Keys, scopeParts } from '../question/key-parts.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { RetrievalPorts } from '../question/ports.ts'
import type { Question } from '../question/question.ts'
import { type Found, notRun, type OpenChannel } from './channel.ts'
import { type PartOfScope, type PartScan, withinDepth } from './scan-parts.ts'
import { vectorNotes } from './vector-notes.ts'

type Column = 'cosineLow' | 'cosineHigh'

export interface NearRecords extends Found<Column> {
  /** No cosine of a record that is left out is above this; −Infinity if none is left out. */
  readonly ceiling: number
}

export interface VectorChannel extends OpenChannel<Column> {
  /** `nearest` of the budget, plus all that tie. If the policy or the graph limits the channel, every budget gives the same records. */
  collect(budget: Pick<CandidateBudget, 'nearest'>): NearRecords
  /** Whether the channel finds the record, which must be one of the scope. */
  has(key: number): boolean
  /** Upper bounds of cosines; −Infinity for a record without a vector. */
  upperOf(keys: Keys): Float64Array
  /** Rank in the whole scope, from 1, and exact cosine; null for a record without a vector. */
  rankOf(key: number): { readonly rank: number; readonly cosine: number } | null
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

/** What one way of scanning gives for every part of the scope. `eligible`: the parts that no gate excludes. */
interface Scans {
  readonly eligible: readonly PartScan[]
  readonly all: readonly PartScan[]
}

/** `nearest`: that of the budget that is collected first. `matches`: what words and times find, the only records of a query for matches alone. */
export function vectorChannel(
  { store, plan, scope, parts }: Question,
  { index, options }: RetrievalPorts,
  nearest: number,
  matches: () => readonly number[],
): VectorChannel {
  const { vector } = plan
  const space = store.space()
  if (vector === null || index === null || space === null) {
    const why = plan.withoutVector ?? 'the store has no embedding space'
    return withoutRecords(plan.listing ? 'the query has no vector' : why)
  }
  const depth = plan.policy.depths.vector
  if (depth === 0) return withoutRecords('the policy does not use it')
  const comparison: Comparison = { query: vector, index, store }
  // With other filters than the engine’s own gates the graph is not used.
  const onlyMatches = plan.query.matching === 'only' && !plan.listing
  const isFree = scope === null && parts.files === null && !onlyMatches
  const way = isFree && plan.query.exact !== true ? undefined : 'exact'
  const scanEach = (scan: (part: PartOfScope) => PartScan): Scans => {
    const { eligible, filtered } = scopeParts(scope, parts, store.everyKey)
    const scans = eligible.map((keys) => scan({ keys, except: keys === null ? parts.filtered : noKeys }))
    return { eligible: scans, all: [...scans, ...filtered.map((keys) => scan({ keys, except: noKeys }))] }
  }
  const scanPart = (part: PartOfScope, some: number) =>
    some === Number.POSITIVE_INFINITY ? everyRecord(comparison, part) : nearestRecords(comparison, part, some)
  const scanNearest = (some: number) => scanEach((part) => scanPart(part, some))
  const scanMatches = (some: number) =>
    allMatches ? [scanPart({ keys: Uint32Array.from(new Set(matches())).sort(), except: noKeys }, some)] : []
  // The depth is the number of records that a graph proposes, whatever the limit.
  const { allMatches } = plan.needs
  const mayPropose = index.kind === 'hnsw' && way === undefined
  const cut = !allMatches || mayPropose ? scanEach((part) => withinDepth(comparison, part, depth, way)) : null
  const isProposed = cut?.all.some(({ scan }) => scan.mode === 'hnsw') === true
  const fixed = isProposed || !allMatches ? cut : null
  const first = fixed ?? scanNearest(nearest)
  const proposed = isProposed ? new Set(first.all.flatMap(({ keys }) => keys)) : null
  const inScope = scope === null ? store.statistics(null).records : scope.keys.length
  // Some records of the scope have no vector.
  const notes = sumOf(first, 'matched') < inScope ? vectorNotes(store, options) : []
  const ran: ChannelPlan = {
    ran: true,
    ...(notes.length === 0 ? {} : { why: notes.join('; ') }),
    mode: isProposed ? 'hnsw' : plan.scope.tags === undefined ? 'exact' : 'exact-tag',
    scanned: sumOf(first, 'scanned'),
    matched: sumOf(first, 'matched'),
    complete: !isProposed && notes.length === 0,
  }
  return {
    collect: ({ nearest: some }) => {
      const { all } = fixed ?? (some === nearest ? first : scanNearest(some))
      const scans = all.map(({ scan }) => scan)
      const rest = boundForRest(plan, parts, scans)
      const candidates = onlyMatches ? scanMatches(some) : all
      return {
        keys: candidates.flatMap(({ keys }) => keys),
        plan: ran,
        ceiling: Math.max(...candidates.map(({ ceiling }) => ceiling)),
        columns: (rows) => boundsOf(comparison, scans, rest, rows),
      }
    },
    has: (key) => !onlyMatches && (proposed === null ? index.has(key) : proposed.has(key)),
    upperOf: (keys) => uppersOf(comparison, keys),
    rankOf: (key) => rankOf(comparison, scope?.keys ?? store.everyKey().keys, key),
    facts: { space: index.spaceOf?.(vector) ?? space.name, ...spreadOf(first.eligible.map(({ scan }) => scan)) },
    plan: ran,
  }
}

function sumOf({ all }: Scans, count: 'matched' | 'scanned'): number {
  return all.reduce((sum, { scan }) => sum + scan[count], 0)
}

function uppersOf({ query, index }: Comparison, keys: Keys): Float64Array {
  const { estimates, margins } = index.estimate(query, keys instanceof Uint32Array ? keys : Uint32Array.from(keys))
  for (let i = 0; i < keys.length; i++)
    estimates[i] = Number.isNaN(estimates[i]) ? Number.NEGATIVE_INFINITY : estimates[i]! + margins[i]!
  return estimates
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
function boundsOf(
  { query, index }: Comparison,
  scans: readonly VectorScan[],
  rest: number | null,
  { keys, rowOf }: CandidateRows,
): Pick<CandidateTable, Column> {
  const low = new Float64Array(keys.length).fill(Number.NaN)
  const high = new Float64Array(keys.length).fill(Number.NaN)
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
  if (low.some(Number.isNaN)) {
    if (rest === null) {
      const others = keys.filter((_, row) => Number.isNaN(low[row]))
      const { estimates, margins } = index.estimate(query, others)
      for (let i = 0; i < others.length; i++) set(rowOf(others[i]!), estimates[i]!, margins[i]!)
    } else {
      for (let row = 0; row < keys.length; row++) {
        if (!Number.isNaN(low[row]) || !index.has(keys[row]!)) continue
        low[row] = belowAnyCosine
        high[row] = rest
      }
    }
  }
  return { cosineLow: low, cosineHigh: high }
}

/** Below every cosine, including cosines that rounding puts below −1. */
const belowAnyCosine = -2

/** All records that a scan of small depth keeps, with those that tie with the last. */
function nearestRecords({ query, index }: Comparison, { keys, except }: PartOfScope, some: number): PartScan {
  const scan = index.scan(query, keys, some, 'exact', except)
  return { scan, keys: [...scan.keys, ...scan.tied], ceiling: scan.ceiling }
}

/** Every record that has a vector. The scan is made for its statistics. */
function everyRecord({ query, index, store }: Comparison, { keys, except }: PartOfScope): PartScan {
  const scan = index.scan(query, keys, 1, 'exact', except)
  const withVector: number[] = []
  for (const key of keys ?? store.everyKey().keys) if (index.has(key)) withVector.push(key)
  return { scan, keys: withVector, ceiling: Number.NEGATIVE_INFINITY }
}

/** Counts better records by their bounds, and reads exact cosines only where the bounds overlap. */
function rankOf(comparison: Comparison, keys: Uint32Array, key: number) {
  const { query, index } = comparison
  const own = index.estimate(query, Uint32Array.of(key))
  if (!(own.estimates[0] !== undefined && Number.isFinite(own.estimates[0]))) return null
  const cosine = exactCosine(comparison, key)
  const { estimates, margins } = index.estimate(query, keys)
  let better = 0
  for (let i = 0; i < keys.length; i++) {
    const [estimate, margin] = [estimates[i]!, margins[i]!]
    if (estimate - margin > cosine) better++
    else if (estimate + margin > cosine && exactCosine(comparison, keys[i]!) > cosine) better++
  }
  return { rank: better + 1, cosine }
}

function withoutRecords(why: string): VectorChannel {
  const plan = notRun(why)
  return {
    collect: () => ({
      keys: [],
      plan,
      ceiling: Number.NEGATIVE_INFINITY,
      columns: ({ keys }) => ({
        cosineLow: new Float64Array(keys.length).fill(Number.NaN),
        cosineHigh: new Float64Array(keys.length).fill(Number.NaN),
      }),
    }),
    has: () => false,
    upperOf: (keys) => new Float64Array(keys.length).fill(Number.NEGATIVE_INFINITY),
    rankOf: () => null,
    facts: null,
    plan,
  }
}
