/**
 * A second implementation of docs/spec/ranking.md#convex-fusion, from its text: the answers of TokenPak's selector. Plain
 * loops over all records. Where the text leaves a choice, a comment names it.
 */
import { descending, type OracleRecord } from './oracle-record.ts'
import { plainBm25, plainBm25Constants } from './plain-bm25.ts'
import { wordsOf } from './plain-text.ts'

export interface TokenpakQuery {
  readonly text: string
  readonly prefer?: { readonly project?: string; readonly kind?: string; readonly topic?: string } | undefined
  readonly limit?: number | undefined
  readonly now: number
}

export interface TokenpakHit {
  readonly record: OracleRecord
  /** Positive and bounded: 0 for a record that only `prefer` found. */
  readonly fts: number
  /** Everything except fts. */
  readonly rest: number
  readonly score: number
  readonly collapsed: readonly string[]
}

export const tokenpakConstants = {
  ...plainBm25Constants,
  fts: 1,
  project: 0.5,
  kind: 0.3,
  recencyWindowDays: 30,
  limit: 25,
  collapses: true,
  weights: {
    current_task: 1,
    mandatory: 1,
    acceptance_criteria: 0.9,
    user_pinned: 1,
    agent_role_match: 0.6,
    task_type_match: 0.6,
    direct_file_match: 0.8,
    direct_test_match: 0.8,
    dependency_match: 0.5,
    workflow_relevant: 0.6,
    recently_modified: 0.4,
    recent_failure_link: 0.9,
    standard_applies: 0.9,
    governance_constraint: 1,
    risk_relevant: 0.8,
    prior_success_pattern: 0.7,
    compressed_summary_available: 0.4,
    large_raw_context: 0.2,
    available_on_request: 0.3,
    stable_context: 0.5,
    reusable_context: 0.5,
    cache_ordering_candidate: 0.5,
    low_task_match: -1,
    unrelated_domain: -1,
    stale_context: -1,
    duplicate_context: -0.5,
    excluded_by_budget: -0.5,
    excluded_by_policy: -1,
  } as Readonly<Record<string, number>>,
}

/** All hits in order, before the limit. */
export function tokenpakRanking(
  records: readonly OracleRecord[],
  query: TokenpakQuery,
  constants = tokenpakConstants,
): TokenpakHit[] {
  // A repeated word counts twice, like two equal phrases of one MATCH. The tests' queries have no stop words.
  const words = wordsOf(query.text)
  const bm25 = plainBm25(records, words, constants)
  const { project, kind, topic } = query.prefer ?? {}
  const hits: TokenpakHit[] = []
  for (const record of records) {
    // One of the preferred fields is enough to find a record; the topic finds it, too, though it weighs nothing.
    const isPreferred =
      (project !== undefined && record.project === project) ||
      (kind !== undefined && record.kind === kind) ||
      (topic !== undefined && record.topic === topic)
    const positive = bm25.get(record.id)
    if (positive === undefined && !isPreferred) continue
    const fts = positive === undefined ? 0 : positive / (1 + positive)
    const parts = [
      project !== undefined && record.project === project ? constants.project : 0,
      kind !== undefined && record.kind === kind ? constants.kind : 0,
      recencyOf(record, query.now, constants.recencyWindowDays),
      record.reasons.reduce((sum, { code, weight }) => sum + constants.weights[code]! * weight, 0),
    ]
    const add = (from: number) => parts.reduce((sum, part) => sum + part, from)
    // Added in the order of the text, because the last bit of a sum decides between equal scores.
    hits.push({ record, fts, rest: add(0), score: add(fts * constants.fts), collapsed: [] })
  }
  const kept = constants.collapses ? collapseCopies(hits) : hits
  return kept.sort((a, b) => descending(keyOf(a), keyOf(b)))
}

/** Age by updatedAt. */
function recencyOf(record: OracleRecord, now: number, windowDays: number): number {
  const ageDays = (now - record.updatedAt) / 86_400_000
  if (ageDays <= 0) return 1
  return ageDays >= windowDays ? 0 : 1 - ageDays / windowDays
}

/** Of candidates with one content hash the newest stays, with its own score, even if it is the lowest. */
function collapseCopies(hits: readonly TokenpakHit[]): TokenpakHit[] {
  const newestFirst = [...hits].sort((a, b) =>
    descending([a.record.updatedAt, a.record.id], [b.record.updatedAt, b.record.id]),
  )
  return newestFirst
    .filter((hit, i) => newestFirst.findIndex((other) => isCopy(hit, other)) === i)
    .map((hit) => ({
      ...hit,
      collapsed: hits.filter((other) => other !== hit && isCopy(hit, other)).map(({ record }) => record.id),
    }))
}

function isCopy(a: TokenpakHit, b: TokenpakHit): boolean {
  return a.record.contentHash === b.record.contentHash
}

function keyOf({ score, record }: TokenpakHit): readonly (number | string)[] {
  return [score, record.updatedAt, record.id]
}
