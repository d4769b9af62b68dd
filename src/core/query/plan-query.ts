/**
 * Builds the plan that `gather` executes from a parsed query: which channels run, with what, and how deep.
 * Pure: depends on the query, the policy and the settings of the store, never on caches.
 */

import { needsOf } from '../fusion/fusions.ts'
import type { ResolvedAuthority } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import type { Policy } from '../model/policy.ts'
import type { RecallQuery } from '../model/query.ts'
import type { QueryPlan, TimeWindow, TypedWord } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import { extractTerms } from '../text/extract/extract.ts'
import { ctxsiftTerms, foldForRuns } from '../text/tokenise/path-tokens.ts'
import { stem } from '../text/tokenise/stem.ts'
import { type OffsetAt, utc } from '../time/zone.ts'
import { parseText, type QueryText } from './parse-text.ts'
import { timesIn } from './times-in.ts'

export interface PlanSettings {
  readonly policy: Policy
  readonly authority?: ResolvedAuthority | null | undefined
  readonly stemmer: 'porter' | 'none'
  /** ms; used if the query has no `now`. */
  readonly now: number
  /** Of the time zone of the query; default UTC. */
  readonly offsetAt?: OffsetAt | undefined
  /** Why the query cannot have a vector, if so. */
  readonly withoutVector?: string | undefined
}

export function planQuery(query: RecallQuery, settings: PlanSettings): QueryPlan {
  const { policy } = settings
  const needs = needsOf(policy)
  const options = { stemmer: settings.stemmer, lexical: policy.lexical }
  // Adding 0 turns −0 into 0, because receipts are compared.
  const now = (query.now ?? settings.now) + 0
  // From the text that is read, like its words.
  const read = (query.text ?? '').slice(0, tuning.maxQueryCharacters)
  const times = timesIn(query, read, policy, { now, offsetAt: settings.offsetAt ?? utc })
  const text = parseText(query.text ?? '', { ...options, prefix: query.prefix ?? 'none', times })
  const named = read === '' || times.alone ? [] : extractTerms(read)
  const vector = times.alone ? null : (query.vector ?? null)
  const runs = { query: foldForRuns(read.trim()), terms: ctxsiftTerms(read).slice(0, tuning.maxQueryTerms) }
  return {
    query,
    policy,
    needs,
    limit: query.limit ?? policy.defaultLimit,
    offset: offsetOf(query, policy),
    now,
    scope: query.asOf === undefined ? (query.scope ?? {}) : { ...query.scope, asOf: query.asOf },
    terms: times.alone ? [] : text.terms,
    typed:
      text.typed === null || times.alone
        ? null
        : typedWord(text.typed, parseText(query.text ?? '', { ...options, prefix: 'none', times })),
    pairs: needs.pairs && !times.alone ? text.pairs : [],
    otherWords: text.otherWords,
    namedTerms: distinct(named.filter((entry) => entry.kind !== 'path').map((entry) => foldForRuns(entry.term))),
    namedPaths: distinct(
      named.filter((entry) => entry.kind === 'path').map((entry) => entry.term.replaceAll('\\', '/')),
    ),
    runs,
    asksForRecent: runs.terms.some((term) => recencyWords.has(term)),
    files: distinct((query.files ?? []).map((path) => foldForRuns(path).replaceAll('\\', '/'))),
    authority: settings.authority ?? null,
    vector,
    linked: null,
    listing:
      needs.listsScope ||
      times.alone ||
      ((query.text ?? '').trim() === '' && vector === null && !findsPreferred(query, policy)),
    withoutVector: vector === null ? withoutVector(times.alone, settings) : null,
    notes: times.alone ? [] : text.notes,
    ...(times.windows.length === 0
      ? {}
      : {
          times: times.windows,
          timesAlone: times.alone,
          withoutTimes: times.alone ? null : withoutTimes(query, settings, times.windows),
        }),
  }
}

/** Rejects an offset that ends beyond the largest limit. */
function offsetOf({ offset = 0, limit }: RecallQuery, { defaultLimit }: Policy): number {
  const most = tuning.maxRecallLimit
  if (offset + (limit ?? defaultLimit) <= most) return offset
  throw recallError('INVALID_ARGUMENT', `must be at most ${most} together with the limit of ${limit ?? defaultLimit}`, {
    field: 'query.offset',
    value: offset,
    hint: `Give an offset of at most ${most - (limit ?? defaultLimit)}, or a smaller limit.`,
  })
}

/** The plan for a scope of which all records or none have the time: its words become search terms. */
function withoutTimes(query: RecallQuery, settings: PlanSettings, read: readonly TimeWindow[]): QueryPlan {
  const plan = planQuery({ ...query, times: 'off' }, settings)
  const named = read.map(({ text }) => `"${text}"`).join(', ')
  const note = `${named}: no record of the scope is of this time, or every one; its words count as any others`
  return { ...plan, query, read, notes: [...plan.notes, note] }
}

function withoutVector(timesAlone: boolean, settings: PlanSettings): string {
  return timesAlone ? 'the query names only a time' : (settings.withoutVector ?? 'the query has no vector')
}

function typedWord(word: string, { terms }: QueryText): TypedWord {
  return {
    word,
    complete: terms,
    term: terms.findIndex((term) => (term.stems.length === 1 && term.stems[0] === stem(word)) || term.word === word),
  }
}

function findsPreferred({ prefer = {} }: RecallQuery, { depths }: Policy): boolean {
  return depths.anchors > 0 && Object.values(prefer).some((value) => value !== undefined)
}

/** CtxSift's list of words. */
const recencyWords: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'current',
  'latest',
  'newest',
  'recent',
  'today',
  'yesterday',
])

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
