/**
 * A second implementation of docs/spec/ranking.md#staged-fusion, from its text: the answers of CtxSift's recall. Plain loops
 * over all records. Where the text leaves a choice, a comment names it; most choices follow the published program.
 */

import type { FileState } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import { bestCosineOf, descending, type OracleRecord } from './oracle-record.ts'
import { areNearlyEqual, plainBm25, plainBm25Constants } from './plain-bm25.ts'
import { plainFreshness } from './plain-freshness.ts'

export interface CtxsiftQuery {
  readonly text?: string | undefined
  readonly vector?: Float32Array | undefined
  readonly files?: readonly string[] | undefined
  readonly limit?: number | undefined
}

export interface CtxsiftHit {
  readonly id: string
  readonly score: number
  readonly matched: readonly CtxsiftField[]
  readonly freshness: Freshness
}

export interface CtxsiftAnswer {
  readonly hits: readonly CtxsiftHit[]
  /** Hits, and records that a threshold or the limit left out, in order. */
  readonly candidates: readonly CtxsiftHit[]
  /** Some bm25 values are so close that the order of summing decides between them. */
  readonly isDoubtful: boolean
}

/** In the order in which a hit names them. */
export const ctxsiftFields = ['fts', 'instruction', 'body', 'command', 'paths', 'terms', 'vector'] as const
export type CtxsiftField = (typeof ctxsiftFields)[number]

export const ctxsiftConstants = {
  bm25: plainBm25Constants,
  offset: 50,
  /** In the order of summing. */
  sources: { fts: 5, terms: 4.5, paths: 4, instruction: 3, body: 3, command: 2.5 },
  text: { query: 8, term: 2 },
  terms: { query: 10, term: 3 },
  /** Equal, after a `/`, inside. */
  paths: { query: [12, 10, 6], term: [6, 5, 2] },
  recency: 0.75,
  recencyAsked: 2,
  recencyBonus: 0.18,
  recencyBonusStep: 0.02,
  coverage: 0.06,
  maxCoverage: 4,
  depth: 50,
  lexical: 1,
  vector: 0.85,
  /** 1 − 0.75² / 2: the cosine of two unit vectors 0.75 apart. */
  leastCosine: 0.71875,
  freshness: { fresh: 0.06, unknown: 0, unverifiable: -0.01, stale_changed: -0.07, stale_deleted: -0.12 } as Readonly<
    Record<Freshness, number>
  >,
  field: 0.02,
  maxFields: 5,
  file: 0.09,
  fileBonusWithoutFilter: true,
  exactFile: 0.08,
  exactSymbol: 0.07,
  exactTest: 0.07,
  strong: 120,
  weak: 90,
  weakLimit: 1,
  limit: 10,
}

export function recallByCtxsift(
  records: readonly OracleRecord[],
  states: readonly FileState[],
  query: CtxsiftQuery,
  constants = ctxsiftConstants,
): CtxsiftAnswer {
  const asked = askedOf(query.text ?? '')
  const bm25 = plainBm25(records, asked.terms, constants.bm25)
  const lexical = lexicalRanking(records, asked, bm25, constants)
  const nearest = vectorRanking(records, query.vector)
  const filters = (query.files ?? []).map(foldedPath)
  const isAsked = (record: OracleRecord) =>
    filters.some((filter) => record.files.some(({ path }) => foldedPath(path).includes(filter)))
  // Where no matching record has such a file, the filter is ignored. Thresholds do not affect that.
  const isHeeded =
    lexical.some(({ record }) => isAsked(record)) ||
    nearest.some(({ record, cosine }) => isAsked(record) && cosine >= constants.leastCosine)
  const isKept = (record: OracleRecord) => !isHeeded || isAsked(record)

  // The filter changes no ranks: they are those of the whole lists, as if it came last, and only the cut applies it.
  const lexicalList = firstKept(lexical, isKept, constants.depth)
  // A vector too far away is removed from the list before ranks are assigned, unless its record is in the lexical list.
  const vectorList = firstKept(nearest, isKept, constants.depth).filter(
    ({ record, cosine }) =>
      cosine >= constants.leastCosine || lexicalList.some((candidate) => candidate.record === record),
  )
  const candidates = records
    .filter((record) => isKept(record) && [...lexicalList, ...vectorList].some((hit) => hit.record === record))
    .map((record) => {
      const lexicalRank = lexicalList.findIndex((hit) => hit.record === record) + 1
      const vectorRank = vectorList.findIndex((hit) => hit.record === record) + 1
      // Beyond the lexical depth a record counts only for its vector, whatever words it holds.
      const fields: CtxsiftField[] = lexicalRank > 0 ? [...lexicalList[lexicalRank - 1]!.fields] : []
      if (vectorRank > 0) fields.push('vector')
      const freshness = plainFreshness(record, states)
      let sum = 0
      if (lexicalRank > 0) sum += constants.lexical / (constants.offset + lexicalRank)
      if (vectorRank > 0) sum += constants.vector / (constants.offset + vectorRank)
      sum += constants.freshness[freshness]
      sum += Math.min(fields.length, constants.maxFields) * constants.field
      if (filters.length === 0 ? constants.fileBonusWithoutFilter : isAsked(record)) sum += constants.file
      if (hasExactFile(record, asked)) sum += constants.exactFile
      if (hasExactTerm(record, asked, 'symbol')) sum += constants.exactSymbol
      if (hasExactTerm(record, asked, 'test')) sum += constants.exactTest
      return { record, freshness, matched: fields, score: roundHalfToEven(1000 * sum) }
    })
    .sort((a, b) => descending(keyOf(a), keyOf(b)))
    .map(({ record, ...hit }): CtxsiftHit => ({ id: record.id, ...hit }))

  const limit = query.limit ?? constants.limit
  const strong = candidates.filter(({ score }) => score >= constants.strong)
  const weak = candidates.filter(({ score }) => score >= constants.weak)
  const hits = strong.length > 0 ? strong.slice(0, limit) : weak.slice(0, Math.min(limit, constants.weakLimit))
  const values = [...bm25.values()]
  return { hits, candidates, isDoubtful: values.some((a) => values.some((b) => areNearlyEqual(a, b))) }
}

export interface Asked {
  /** The whole query, trimmed and folded. */
  readonly query: string
  readonly terms: readonly string[]
}

/** Case is folded by toLowerCase: JavaScript has no equivalent of Python's casefold, which turns ß into ss. */
export function askedOf(text: string): Asked {
  const terms = (text.match(/[\p{L}\p{N}_./:\\-]+/gu) ?? []).map((term) => term.toLowerCase())
  return { query: text.trim().toLowerCase(), terms: [...new Set(terms)] }
}

interface Lexical {
  readonly record: OracleRecord
  readonly fields: readonly CtxsiftField[]
}

type Constants = typeof ctxsiftConstants
type Source = keyof Constants['sources']

/** The lexical stage: all candidates in the order of their lexical rank. */
function lexicalRanking(
  records: readonly OracleRecord[],
  asked: Asked,
  bm25: ReadonlyMap<string, number>,
  constants: Constants,
): Lexical[] {
  if (asked.query === '') return []
  const strengthOf: Record<Source, (record: OracleRecord) => number> = {
    fts: ({ id }) => bm25.get(id) ?? 0,
    terms: (record) => termStrength(record, asked, constants),
    paths: (record) => Math.max(0, ...record.files.map(({ path }) => pathStrength(foldedPath(path), asked, constants))),
    instruction: ({ instruction }) => textStrength(instruction, asked, constants),
    body: ({ body }) => textStrength(body, asked, constants),
    command: ({ command }) => textStrength(command, asked, constants),
  }
  const names = Object.keys(constants.sources) as Source[]
  const lists = names.map((name) => ({
    name,
    // Every source, fts among them, puts the newer first where strengths are equal; none is cut.
    ids: records
      .map((record) => ({ record, strength: strengthOf[name](record) }))
      .filter(({ strength }) => strength > 0)
      .sort((a, b) => descending([a.strength, ...ageKey(a.record)], [b.strength, ...ageKey(b.record)]))
      .map(({ record }) => record.id),
  }))
  const candidates = records.filter(({ id }) => lists.some(({ ids }) => ids.includes(id)))
  // Ranks all candidates, before any filter or cut.
  const newestFirst = [...candidates].sort((a, b) => descending(ageKey(a), ageKey(b))).map(({ id }) => id)
  // A term, not a substring: `latest.` does not ask for the latest.
  const isRecencyAsked = asked.terms.some((term) => recencyWords.includes(term))
  return candidates
    .map((record) => {
      const found = lists.filter(({ ids }) => ids.includes(record.id))
      const recencyRank = newestFirst.indexOf(record.id) + 1
      let sum = 0
      for (const { name, ids } of found)
        sum += constants.sources[name] / (constants.offset + ids.indexOf(record.id) + 1)
      sum += (isRecencyAsked ? constants.recencyAsked : constants.recency) / (constants.offset + recencyRank)
      if (isRecencyAsked) sum += Math.max(0, constants.recencyBonus - constants.recencyBonusStep * (recencyRank - 1))
      sum += constants.coverage * Math.min(found.length - 1, constants.maxCoverage)
      const fields = ctxsiftFields.filter((field) => found.some(({ name }) => name === field))
      return { record, fields, score: roundHalfToEven(1000 * sum) }
    })
    .sort((a, b) => descending(keyOf(a), keyOf(b)))
}

const recencyWords: readonly string[] = ['current', 'latest', 'newest', 'recent', 'today', 'yesterday']

/** A sum. A term that is the whole query counts as the query alone, here and below. */
function textStrength(text: string | null, { query, terms }: Asked, { text: strengths }: Constants): number {
  const folded = (text ?? '').toLowerCase()
  const held = terms.filter((term) => term !== query && folded.includes(term))
  return (folded.includes(query) ? strengths.query : 0) + held.length * strengths.term
}

/** A sum over the query's terms: the number of equal terms in the record does not count. */
function termStrength(record: OracleRecord, { query, terms }: Asked, { terms: strengths }: Constants): number {
  const own = record.terms.map(({ term }) => term.toLowerCase())
  const held = terms.filter((term) => term !== query && own.includes(term))
  return (own.includes(query) ? strengths.query : 0) + held.length * strengths.term
}

/** For one path a sum over query and terms; of several paths the caller takes the best. */
function pathStrength(path: string, { query, terms }: Asked, { paths: strengths }: Constants): number {
  const step = (asked: string, [equal, ending, inside]: readonly number[]) => {
    if (path === asked) return equal!
    if (path.endsWith(`/${asked}`)) return ending!
    return path.includes(asked) ? inside! : 0
  }
  return terms
    .filter((term) => term !== query)
    .reduce((sum, term) => sum + step(term, strengths.term), step(query, strengths.query))
}

interface Near {
  readonly record: OracleRecord
  readonly cosine: number
}

/** Equal cosines: the newer first, as everywhere in this policy. */
function vectorRanking(records: readonly OracleRecord[], vector: Float32Array | undefined): Near[] {
  if (vector === undefined) return []
  return records
    .flatMap((record) => {
      const cosine = bestCosineOf(record, vector)
      return cosine === undefined ? [] : [{ record, cosine }]
    })
    .sort((a, b) => descending([a.cosine, ...ageKey(a.record)], [b.cosine, ...ageKey(b.record)]))
}

/** The list up to its `depth`-th kept record: without a filter its first `depth` records. */
function firstKept<T extends { readonly record: OracleRecord }>(
  list: readonly T[],
  isKept: (record: OracleRecord) => boolean,
  depth: number,
): readonly T[] {
  const last = list.filter(({ record }) => isKept(record))[depth - 1]
  return last === undefined ? list : list.slice(0, list.indexOf(last) + 1)
}

function hasExactFile(record: OracleRecord, { query, terms }: Asked): boolean {
  if (query === '') return false
  return record.files
    .map(({ path }) => foldedPath(path))
    .some((path) => [query, ...terms].some((asked) => path === asked || path.endsWith(`/${asked}`)))
}

function hasExactTerm(record: OracleRecord, { query, terms }: Asked, kind: string): boolean {
  return record.terms.some((entry) => entry.kind === kind && [query, ...terms].includes(entry.term.toLowerCase()))
}

/** Paths of records and file filters have `/`; the text of the query is used unchanged. */
function foldedPath(path: string): string {
  return path.toLowerCase().replaceAll('\\', '/')
}

function keyOf({ score, record }: { score: number; record: OracleRecord }): readonly (number | string)[] {
  return [score, ...ageKey(record)]
}

function ageKey({ createdAt, id }: OracleRecord): readonly (number | string)[] {
  return [createdAt, id]
}

function roundHalfToEven(x: number): number {
  const below = Math.floor(x)
  const rest = x - below
  if (rest === 0.5) return below % 2 === 0 ? below : below + 1
  return rest < 0.5 ? below : below + 1
}
