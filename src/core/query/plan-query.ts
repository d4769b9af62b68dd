/**
 * From a parsed query to the plan that `gather` carries out: which channels run, with what, and how deep.
 * Pure: it looks at the query, the policy and the store's settings, never at what is cached.
 */
import type { ResolvedAuthority } from '../model/authority.ts'
import { isComposite, isConvex, type Policy } from '../model/policy.ts'
import type { RecallQuery, Scope } from '../model/query.ts'
import { tuning } from '../model/tuning.ts'
import { extractTerms } from '../text/extract.ts'
import { ctxsiftTerms, foldForRuns } from '../text/runs.ts'
import { stem } from '../text/stem.ts'
import { parseText, type QueryPair, type QueryTerm, type QueryText } from './parse-text.ts'

export interface QueryPlan {
  readonly query: RecallQuery
  readonly policy: Policy
  readonly limit: number
  readonly now: number
  readonly scope: Scope & { readonly asOf?: number | undefined }
  readonly terms: readonly QueryTerm[]
  /** The last word while it may be the beginning of another: evidence is judged of the text without that. */
  readonly typed: TypedWord | null
  /** Empty where the policy does not ask for them. */
  readonly pairs: readonly QueryPair[]
  /** FTS5 phrases of the words that `terms` leaves out or holds inside a phrase: what else of the text might exist. */
  readonly otherWords: readonly string[]
  /** Exact terms and paths the text names, folded. */
  readonly namedTerms: readonly string[]
  readonly namedPaths: readonly string[]
  readonly vector: Float32Array | null
  /** The whole text and its runs, case-folded: what a staged policy looks for as substrings. */
  readonly runs: QueryRuns
  /** Whether the text asks for what is recent. */
  readonly asksForRecent: boolean
  /** `files`, folded, with `/` for `\`; empty for no filter. */
  readonly files: readonly string[]
  /** How the answer is put to a model; null when the app configured nothing. */
  readonly authority: ResolvedAuthority | null
  /** What links to the first records of an answer pass on, by id; null where no links are asked for. */
  readonly linked: ReadonlyMap<string, number> | null
  /**
   * The scope is listed by recency: the query gives neither text nor vector nor, under a policy that lets preferences find,
   * any of them; or the policy's scores know no question.
   */
  readonly listing: boolean
  /** Why there is no vector channel, or null when there is one. */
  readonly withoutVector: string | null
  readonly notes: readonly string[]
}

export interface TypedWord {
  /** Folded. */
  readonly word: string
  /** The terms of the text as if its last word were complete. */
  readonly complete: readonly QueryTerm[]
  /** Which of them is the last word; -1 where it says nothing by itself, as stop words do. */
  readonly term: number
}

export interface QueryRuns {
  readonly query: string
  /** Distinct, in the order of the text. */
  readonly terms: readonly string[]
}

export interface PlanSettings {
  readonly policy: Policy
  readonly authority?: ResolvedAuthority | null | undefined
  readonly stemmer: 'porter' | 'none'
  /** ms; used when the query itself gives no `now`. */
  readonly now: number
  /** Why no vector can be had, when that is so. */
  readonly withoutVector?: string | undefined
}

export function planQuery(query: RecallQuery, settings: PlanSettings): QueryPlan {
  const { policy } = settings
  const options = { stemmer: settings.stemmer, lexical: policy.lexical }
  const text = parseText(query.text ?? '', { ...options, prefix: query.prefix ?? 'none' })
  // Of the text that is read, like its words.
  const read = (query.text ?? '').slice(0, tuning.maxQueryCharacters)
  const named = read === '' ? [] : extractTerms(read)
  const vector = query.vector ?? null
  const runs = { query: foldForRuns(read.trim()), terms: ctxsiftTerms(read).slice(0, tuning.maxQueryTerms) }
  return {
    query,
    policy,
    limit: query.limit ?? policy.defaultLimit,
    // Plus 0: a clock at −0 means 0, and receipts are compared.
    now: (query.now ?? settings.now) + 0,
    scope: query.asOf === undefined ? (query.scope ?? {}) : { ...query.scope, asOf: query.asOf },
    terms: text.terms,
    typed:
      text.typed === null ? null : typedWord(text.typed, parseText(query.text ?? '', { ...options, prefix: 'none' })),
    pairs: isConvex(policy) && (policy.fusion.pairs ?? 0) !== 0 ? text.pairs : [],
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
      isComposite(policy) || ((query.text ?? '').trim() === '' && vector === null && !findsPreferred(query, policy)),
    withoutVector: vector === null ? (settings.withoutVector ?? 'the query has no vector') : null,
    notes: text.notes,
  }
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

/** CtxSift's list. */
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
