/**
 * Computes CtxSift's staged scores (docs/spec/ranking.md#staged-fusion): fuses sources by rank to a lexical list, then that list by rank
 * with the vector list. Reads the records of both lists, adds freshness, matched fields and exact names, and rounds.
 */

import { kthLargest } from '../collections/select-top.ts'
import type { FactNeeds } from '../model/fact-needs.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { StagedFusion, StagedPolicy, StagedSource } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Contribution, MatchedField } from '../model/result.ts'
import { exactBounds } from '../order/bounds.ts'
import { knownCosines, readTopCosines, vectorRanks } from '../order/exact-top.ts'
import { recordNames } from '../order/named-exactly.ts'
import type { RejectedRange } from '../order/rejected.ts'
import { newestOf, rankedRows, sortStably } from '../order/row-order.ts'
import { freshnessWords } from '../signals/freshness.ts'
import type { Scoring } from './scoring.ts'

export function stagedNeeds({ fusion }: StagedPolicy): Partial<FactNeeds> {
  return { timeOrder: true, substrings: true, leastCosine: fusion.minCosine }
}

/** `filtered`: the `files` filter applies. Rows outside it have ranks, but are not selected. */
export function* scoreInStages(
  plan: QueryPlan,
  policy: StagedPolicy,
  facts: Facts,
  eligible: Int32Array,
  filtered: boolean,
): Generator<Need, Scoring, void> {
  const { candidates } = facts
  const { fusion } = policy
  const newest = newestOf(eligible, candidates)
  const isKept = (row: number) => !filtered || candidates.files?.[row] === 1
  const stage = lexicalStage(plan, fusion, facts, newest)
  const lexicalRanks = firstKept(stage.ranked, isKept, fusion.candidates)
  const vectorList = facts.channels.vector.ran
    ? yield* vectorStage(facts, fusion, newest, lexicalRanks, isKept)
    : new Map<number, number>()
  const listed = [...new Set([...lexicalRanks.keys(), ...vectorList.keys()])].filter(isKept)
  const records = listed.filter((row) => !facts.records.has(row))
  if (records.length > 0) yield { need: { records, cosines: [] } }

  const matched = (row: number) => matchedFields(stage.sources, row, lexicalRanks.has(row), vectorList.has(row))
  const parts = (row: number) =>
    partsOf(plan, policy, facts, row, lexicalRanks.get(row), vectorList.get(row), matched(row).length, filtered)
  const scores = new Map(listed.map((row) => [row, scoreOf(parts(row), fusion.scale)]))
  return {
    bounds: exactBounds(candidates.length, scores),
    cut: cutBy(fusion, facts, stage, newest, (row) => scores.has(row) || !isKept(row)),
    contributions: (row) => contributionsOf(parts(row), fusion.scale),
    matched,
  }
}

interface LexicalStage {
  /** Candidates of the stage, best first. */
  readonly ranked: Int32Array
  /** By row: the rounded score of the stage. */
  readonly scores: Float64Array
  readonly sources: Readonly<Record<StagedSource, Float64Array>>
}

const sourceNames: readonly StagedSource[] = ['fts', 'terms', 'paths', 'instruction', 'body', 'command']

function lexicalStage(plan: QueryPlan, fusion: StagedFusion, facts: Facts, newest: Int32Array): LexicalStage {
  const { candidates } = facts
  const none = new Float64Array(candidates.length)
  const sources = { ...(candidates.sources ?? noSources(none)), fts: candidates.lexical }
  const found = foundIn(
    newest,
    sourceNames.map((name) => sources[name]),
  )
  const sums = new Float64Array(candidates.length)
  const counts = new Uint8Array(candidates.length)
  for (const name of sourceNames) {
    const ranked = rankedRows(found, sources[name])
    const weight = fusion.sources[name]
    for (let i = 0; i < ranked.length; i++) {
      const row = ranked[i]!
      sums[row] = sums[row]! + weight / (fusion.offset + i + 1)
      counts[row] = counts[row]! + 1
    }
  }
  addRecency(sums, found, fusion, plan.asksForRecent)
  const { bonus, most } = fusion.agreement
  for (let i = 0; i < found.length; i++) {
    const row = found[i]!
    const sum = sums[row]! + bonus * Math.min(counts[row]! - 1, most)
    sums[row] = roundHalfEven(fusion.scale * sum)
  }
  const ranked = found.slice()
  sortStably(ranked, sums)
  return { ranked, scores: sums, sources }
}

/** The rows that are in at least one source, in the order of `rows`. */
function foundIn(rows: Int32Array, sources: readonly Float64Array[]): Int32Array {
  const found = new Int32Array(rows.length)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    for (let k = 0; k < sources.length; k++) {
      if (sources[k]![row]! > 0) {
        found[count++] = row
        break
      }
    }
  }
  return found.subarray(0, count)
}

function noSources(none: Float64Array) {
  return { terms: none, paths: none, instruction: none, body: none, command: none }
}

/** Adds the rank by time to candidates. Adds no candidates. */
function addRecency(sums: Float64Array, found: Int32Array, { offset, recency }: StagedFusion, isAsked: boolean): void {
  const weight = isAsked ? recency.weightWhenAsked : recency.weight
  for (let i = 0; i < found.length; i++) {
    const row = found[i]!
    let sum = sums[row]! + weight / (offset + i + 1)
    if (isAsked) sum += Math.max(0, recency.bonusWhenAsked - recency.bonusStep * i)
    sums[row] = sum
  }
}

/** Ranks from 1, up to and including the first `count` kept rows. */
function firstKept(ranked: Int32Array, isKept: (row: number) => boolean, count: number): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>()
  let kept = 0
  for (let i = 0; i < ranked.length && kept < count; i++) {
    const row = ranked[i]!
    ranks.set(row, i + 1)
    if (isKept(row)) kept++
  }
  return ranks
}

/** The ranks of the nearest rows. A row below the least cosine counts only if the lexical list has it; otherwise it takes no rank. */
function* vectorStage(
  facts: Facts,
  { candidates: count, minCosine }: StagedFusion,
  newest: Int32Array,
  lexicalRanks: ReadonlyMap<number, number>,
  isKept: (row: number) => boolean,
): Generator<Need, ReadonlyMap<number, number>, void> {
  const { cosineLow, cosineHigh, files } = facts.candidates
  const atLeast = (rows: Int32Array, floor: number) => rows.filter((row) => cosineHigh[row]! >= floor)
  const kept = files === null ? newest : newest.filter(isKept)
  const leastOfBest = () => kthLargest(knownCosines(facts, kept), count)
  yield* readTopCosines(facts, atLeast(kept, leastOfBest()), count)
  const floor = leastOfBest()
  // Rows outside the filter take ranks, too, so all rows up to the last kept one need exact cosines.
  const near = atLeast(newest, floor)
  yield* readTopCosines(facts, near, near.length)
  const ranks = vectorRanks(facts, near, near.length)
  const nearest = near.filter((row) => cosineLow[row]! >= floor)
  nearest.sort((a, b) => ranks[a]! - ranks[b]!)
  const listed = new Map<number, number>()
  let keptCount = 0
  for (const row of nearest) {
    if (keptCount === count) break
    if (isKept(row)) keptCount++
    if (cosineLow[row]! >= minCosine || lexicalRanks.has(row)) listed.set(row, listed.size + 1)
  }
  return listed
}

const fieldOrder: readonly (readonly [StagedSource, MatchedField])[] = [
  ['fts', 'fts'],
  ['instruction', 'instruction'],
  ['body', 'body'],
  ['command', 'command'],
  ['paths', 'paths'],
  ['terms', 'terms'],
]

function matchedFields(
  sources: LexicalStage['sources'],
  row: number,
  isLexical: boolean,
  isVector: boolean,
): readonly MatchedField[] {
  const fields = isLexical ? fieldOrder.filter(([source]) => sources[source][row]! > 0).map(([, field]) => field) : []
  return isVector ? [...fields, 'vector'] : fields
}

/** A summand before scaling. */
interface Part {
  readonly signal: string
  readonly value: number
  readonly reason: string
}

function partsOf(
  plan: QueryPlan,
  policy: StagedPolicy,
  facts: Facts,
  row: number,
  lexicalRank: number | undefined,
  vectorRank: number | undefined,
  fields: number,
  filtered: boolean,
): readonly Part[] {
  const { offset, stages, bonuses } = policy.fusion
  const record = facts.records.get(row)
  if (record === undefined) return []
  const parts: Part[] = []
  const add = (signal: string, value: number, reason: string) => parts.push({ signal, value, reason })
  if (lexicalRank !== undefined) add('lexical', stages.lexical / (offset + lexicalRank), `rank ${lexicalRank} by words`)
  if (vectorRank !== undefined) add('vector', stages.vector / (offset + vectorRank), `rank ${vectorRank} by meaning`)
  const freshness = facts.freshness.get(row) ?? (record.files.length === 0 ? 'unverifiable' : 'unknown')
  add('freshness', policy.freshness[freshness], freshnessWords[freshness])
  add('fields', bonuses.field * Math.min(fields, bonuses.mostFields), `${fields} fields match`)
  if (filtered || (facts.candidates.files === null && policy.fileBonusWithoutFilter))
    add('files', bonuses.filter, filtered ? 'is of a file asked for' : 'no file was asked for')
  addNames(plan, record, bonuses, add)
  return parts.filter(({ value }) => value !== 0)
}

function addNames(
  { runs }: QueryPlan,
  record: StoredRecord,
  bonuses: StagedFusion['bonuses'],
  add: (signal: string, value: number, reason: string) => void,
): void {
  const named = recordNames(record, runs)
  if (named.file !== null) add('file', bonuses.file, `the query names ${named.file}`)
  if (named.symbol !== null) add('symbol', bonuses.symbol, `the query names ${named.symbol}`)
  if (named.test !== null) add('test', bonuses.test, `the query names ${named.test}`)
}

function scoreOf(parts: readonly Part[], scale: number): number {
  return roundHalfEven(scale * parts.reduce((sum, { value }) => sum + value, 0))
}

/** The scaled parts, and the effect of rounding as a summand. Near an integer the difference is exact, so the sum is exact. */
function contributionsOf(parts: readonly Part[], scale: number): readonly Contribution[] {
  const list = parts.map(({ signal, value, reason }) => ({
    signal,
    value,
    weight: scale,
    amount: value * scale,
    reason,
  }))
  const rounding = scoreOf(parts, scale) - list.reduce((sum, { amount }) => sum + amount, 0)
  if (rounding === 0) return list
  return [
    ...list,
    { signal: 'rounding', value: rounding, weight: 1, amount: rounding, reason: 'rounded to an integer' },
  ]
}

function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  // Adding 0 turns −0, from a small negative value, into 0.
  return (rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded) + 0
}

/** Groups the dropped rows: those that ranked too low, those that are too far by vector, and those that no stage found. */
function cutBy(
  { candidates: count, minCosine }: StagedFusion,
  { candidates: { cosineHigh } }: Facts,
  { ranked, scores }: LexicalStage,
  newest: Int32Array,
  isTaken: (row: number) => boolean,
): readonly RejectedRange[] {
  const rows = { wide: [] as number[], far: [] as number[], none: [] as number[] }
  const isRanked = new Uint8Array(scores.length)
  for (const row of ranked) {
    isRanked[row] = 1
    if (!isTaken(row)) rows.wide.push(row)
  }
  for (const row of newest) {
    if (isRanked[row] === 1 || isTaken(row)) continue
    const high = cosineHigh[row]!
    if (high >= minCosine) rows.wide.push(row)
    else if (high < minCosine) rows.far.push(row)
    else rows.none.push(row)
  }
  const group = (reason: string, rejected: readonly number[]): RejectedRange => {
    const ownScores = new Float64Array(rejected.length)
    for (let i = 0; i < rejected.length; i++) ownScores[i] = scores[rejected[i]!]!
    return { reason, stage: 'candidates', rows: Int32Array.from(rejected), scores: ownScores }
  }
  return [
    group(`beyond the ${count} candidates of each stage`, rows.wide),
    group(`no source holds it, and its cosine is below ${minCosine}`, rows.far),
    group('no stage found it', rows.none),
  ]
}
