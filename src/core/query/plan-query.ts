/**
 * Builds the plan that `gather` executes from a parsed query: which channels run, with what, and how deep.
 * Pure: depends on the query, the policy and the settings of the store, never on caches.
 */

import { needsOf } from '../fusion/fusions.ts'
import type { ResolvedAuthority } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import type { Policy } from '../model/policy.ts'
import type { RecallQuery } from '../model/query.ts'
import type { QueryPlan, QueryTerm, TimeWindow, TypedWord } from '../model/query-plan.ts'
import type { TextField } from '../model/record.ts'
import type { Reading } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { extractTerms } from '../text/extract/extract.ts'
import { ctxsiftTerms, foldForRuns } from '../text/tokenise/path-tokens.ts'
import { stem } from '../text/tokenise/stem.ts'
import type { StopWords } from '../text/tokenise/stop-words.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { type OffsetAt, utc } from '../time/zone.ts'
import { heldBackBy } from './held-back.ts'
import { parseText, type QueryText } from './parse-text.ts'
import { fieldsOf, inFields } from './phrases.ts'
import { readSigns, type Sign, withoutHeldBack } from './read-signs.ts'
import { synonymTable } from './synonyms.ts'
import { type TimesInText, timesIn } from './times-in.ts'

export interface PlanSettings {
  readonly policy: Policy
  readonly authority?: ResolvedAuthority | null | undefined
  readonly stemmer: 'porter' | 'none'
  /** Of the languages of the store; default: English. */
  readonly stopWords?: StopWords | undefined
  /** The languages of the store; default: English. Times are more likely to be in these. */
  readonly languages?: readonly string[] | undefined
  /** ms; used if the query has no `now`. */
  readonly now: number
  /** Of the time zone of the query; default UTC. */
  readonly offsetAt?: OffsetAt | undefined
  /** Whether the store is the one of `asOf`: which records existed then needs no condition. Default false. */
  readonly isThen?: boolean | undefined
  /** Why the query cannot have a vector, if so. */
  readonly withoutVector?: string | undefined
}

export function planQuery(query: RecallQuery, settings: PlanSettings): QueryPlan {
  const { policy, stemmer } = settings
  const needs = needsOf(policy)
  const stemOf = (word: string) => (stemmer === 'porter' ? stem(word) : word)
  const synonyms = synonymTable(policy.synonyms, stemmer, stemOf)
  const options = { stemmer, lexical: policy.lexical, synonyms, stopWords: settings.stopWords }
  // Adding 0 turns −0 into 0, because receipts are compared.
  const now = (query.now ?? settings.now) + 0
  const given = query.text ?? ''
  const signs = hasSigns(policy) ? readSigns(given.slice(0, tuning.maxQueryCharacters)) : []
  const sought = withoutHeldBack(given, signs)
  // From the text that is read, like its words.
  const read = sought.slice(0, tuning.maxQueryCharacters)
  const times = timesIn(query, read, needs, { now, offsetAt: settings.offsetAt ?? utc, preferred: settings.languages })
  const fields = fieldsOf(query.in)
  const text = within(fields, parseText(sought, { ...options, prefix: query.prefix ?? 'none', times }))
  const complete =
    text.typed === null || times.alone ? null : within(fields, parseText(sought, { ...options, prefix: 'none', times }))
  const named = read === '' || times.alone ? [] : extractTerms(read)
  const namesIn = (field: TextField) =>
    fields === null || fields.includes(field)
      ? named.filter(({ kind }) => (kind === 'path') === (field === 'paths'))
      : []
  const vector = times.alone ? null : (query.vector ?? null)
  const runs = { query: foldForRuns(read.trim()), terms: ctxsiftTerms(read).slice(0, tuning.maxQueryTerms) }
  const heldBack = signs.filter(({ kind }) => kind === 'without').map((sign) => sign.text)
  const everyHeldBack = heldBackBy([...heldBack, ...(query.without ?? [])])
  const without = everyHeldBack.slice(0, tuning.maxQueryTerms)
  const readings = readingsOf(signs, times, text)
  return {
    query,
    text: sought,
    policy,
    needs,
    limit: query.limit ?? policy.defaultLimit,
    offset: offsetOf(query, policy),
    now,
    scope:
      query.asOf === undefined || settings.isThen === true ? (query.scope ?? {}) : { ...query.scope, asOf: query.asOf },
    terms: times.alone ? [] : text.terms,
    typed: complete === null ? null : typedWord(text.typed!, complete, fields),
    pairs: needs.pairs && !times.alone ? text.pairs : [],
    joins: times.alone ? [] : text.joins,
    ...(without.length === 0 ? {} : { without }),
    ...(fields === null ? {} : { fields }),
    otherWords: text.otherWords,
    namedTerms: distinct(namesIn('terms').map((entry) => foldForRuns(entry.term))),
    namedPaths: distinct(namesIn('paths').map((entry) => entry.term.replaceAll('\\', '/'))),
    runs,
    asksForRecent: runs.terms.some((term) => recencyWords.has(term)),
    files: distinct((query.files ?? []).map((path) => foldForRuns(path).replaceAll('\\', '/'))),
    authority: settings.authority ?? null,
    vector,
    linked: null,
    listing:
      needs.listsScope || times.alone || (sought.trim() === '' && vector === null && !findsPreferred(query, policy)),
    withoutVector: vector === null ? withoutVector(times.alone, settings) : null,
    notes: [...(times.alone ? [] : text.notes), ...cutNote(everyHeldBack.length)],
    ...(readings.length === 0 ? {} : { read: readings }),
    ...(times.windows.length === 0
      ? {}
      : {
          times: times.windows,
          timesAlone: times.alone,
          ...(times.bare ? { asWords: text.terms.filter(({ optional }) => optional === true) } : {}),
          withoutTimes: times.alone ? null : withoutTimes(query, settings, times.windows, readings),
        }),
  }
}

function cutNote(heldBack: number): readonly string[] {
  const most = tuning.maxQueryTerms
  return heldBack > most ? [`only the first ${most} of ${heldBack} words with a minus used`] : []
}

/** Quotes and minus signs have a meaning where words do. Runs keep them. */
function hasSigns({ lexical }: Policy): boolean {
  return lexical.units === 'words'
}

/** The items of `plan.read`, in order of appearance. */
function readingsOf(signs: readonly Sign[], times: TimesInText, { read }: QueryText): readonly Reading[] {
  const found = [
    ...signs.map(({ kind, text, at }) => ({ at: at[0], reading: { kind, text } satisfies Reading })),
    ...times.windows.map(({ text, from, before }, i) => ({
      at: times.spans[i]![0],
      reading: { kind: 'time', text, from, before } satisfies Reading,
    })),
    ...(times.alone ? [] : read),
  ]
  return found.sort((a, b) => a.at - b.at).map(({ reading }) => reading)
}

/** The same words, found only in these fields. */
function within(fields: readonly TextField[] | null, text: QueryText): QueryText {
  if (fields === null) return text
  const only = (phrase: string) => inFields(phrase, fields)
  const term = ({ completions, apart, synonyms, ...own }: QueryTerm): QueryTerm => ({
    ...own,
    phrase: only(own.phrase),
    ...(completions && { completions: completions.map(only) }),
    ...(apart && { apart: apart.map(only) }),
    ...(synonyms && { synonyms: synonyms.map((synonym) => ({ ...synonym, phrase: only(synonym.phrase) })) }),
  })
  return {
    ...text,
    terms: text.terms.map(term),
    pairs: text.pairs.map((pair) => ({ ...pair, phrase: only(pair.phrase) })),
    joins: text.joins.map((join) => ({ ...join, joined: only(join.joined), apart: only(join.apart) })),
    otherWords: text.otherWords.map(only),
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
function withoutTimes(
  query: RecallQuery,
  settings: PlanSettings,
  windows: readonly TimeWindow[],
  read: readonly Reading[],
): QueryPlan {
  const plan = planQuery({ ...query, times: 'off' }, settings)
  const named = windows.map(({ text }) => `"${text}"`).join(', ')
  const note = `${named}: no record of the scope is of this time, or every one; its words count as any others`
  const asWritten = windows.flatMap(({ text }) => tokenise(text).map(({ word }) => word))
  return { ...plan, query, read, asWritten, notes: [...plan.notes, note] }
}

function withoutVector(timesAlone: boolean, settings: PlanSettings): string {
  return timesAlone ? 'the query names only a time' : (settings.withoutVector ?? 'the query has no vector')
}

function typedWord(word: string, { terms, joins }: QueryText, fields: readonly TextField[] | null): TypedWord {
  const isWord = (term: QueryTerm) => (!term.word.includes(' ') && term.stems[0] === stem(word)) || term.word === word
  const term = terms.findIndex(isWord)
  return { word, complete: terms, term, joins, ...(fields === null ? {} : { fields }) }
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
