/**
 * From a parsed query to the plan that `gather` carries out: which channels run, with what, and how deep.
 * Pure: it looks at the query, the policy and the store's settings, never at what is cached.
 */
import type { Policy } from '../model/policy.ts'
import type { RecallQuery, Scope } from '../model/query.ts'
import { tuning } from '../model/tuning.ts'
import { extractTerms } from '../text/extract.ts'
import { parseText, type QueryTerm } from './parse-text.ts'

export interface QueryPlan {
  readonly query: RecallQuery
  readonly policy: Policy
  readonly limit: number
  readonly now: number
  readonly scope: Scope & { readonly asOf?: number | undefined }
  readonly terms: readonly QueryTerm[]
  /** Exact terms and paths the text names, folded. */
  readonly namedTerms: readonly string[]
  readonly namedPaths: readonly string[]
  readonly vector: Float32Array | null
  /** Neither text nor vector: the scope is listed by recency. */
  readonly listing: boolean
  /** Why there is no vector channel, or null when there is one. */
  readonly withoutVector: string | null
  readonly notes: readonly string[]
}

export interface PlanSettings {
  readonly policy: Policy
  readonly stemmer: 'porter' | 'none'
  /** ms; used when the query itself gives no `now`. */
  readonly now: number
  /** Why no vector can be had, when that is so. */
  readonly withoutVector?: string | undefined
}

export function planQuery(query: RecallQuery, settings: PlanSettings): QueryPlan {
  const { policy } = settings
  const text = parseText(query.text ?? '', {
    prefix: query.prefix ?? 'none',
    stemmer: settings.stemmer,
    commonWordWeight: policy.lexical.commonWordWeight,
  })
  // Of the text that is read, like its words.
  const read = (query.text ?? '').slice(0, tuning.maxQueryCharacters)
  const named = read === '' ? [] : extractTerms(read)
  const vector = query.vector ?? null
  return {
    query,
    policy,
    limit: query.limit ?? policy.defaultLimit,
    now: query.now ?? settings.now,
    scope: query.asOf === undefined ? (query.scope ?? {}) : { ...query.scope, asOf: query.asOf },
    terms: text.terms,
    namedTerms: distinct(named.filter((entry) => entry.kind !== 'path').map((entry) => entry.term.toLowerCase())),
    namedPaths: distinct(
      named.filter((entry) => entry.kind === 'path').map((entry) => entry.term.replaceAll('\\', '/')),
    ),
    vector,
    listing: (query.text ?? '').trim() === '' && vector === null,
    withoutVector: vector === null ? (settings.withoutVector ?? 'the query has no vector') : null,
    notes: text.notes,
  }
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
