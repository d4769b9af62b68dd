/** The plan of one query: the channels, their inputs and depths, and the facts that deciding needs. Plain data. */
import type { ResolvedAuthority } from './authority.ts'
import type { FactNeeds } from './fact-needs.ts'
import type { Policy } from './policy.ts'
import type { RecallQuery, Scope } from './query.ts'

export interface QueryPlan {
  readonly query: RecallQuery
  readonly policy: Policy
  /** What the policy's fusion needs to know about each candidate. */
  readonly needs: FactNeeds
  readonly limit: number
  /** Places of the order that are skipped before the limit counts. */
  readonly offset: number
  readonly now: number
  readonly scope: Scope & { readonly asOf?: number | undefined }
  readonly terms: readonly QueryTerm[]
  /** The last word, if it may be the beginning of a longer word. The evidence uses the text with this word complete. */
  readonly typed: TypedWord | null
  /** Empty if the policy does not use pairs. */
  readonly pairs: readonly QueryPair[]
  /** FTS5 phrases of the words that `terms` leaves out or has inside a phrase. The existence check looks them up, too. */
  readonly otherWords: readonly string[]
  /** Exact terms and paths in the text, folded. */
  readonly namedTerms: readonly string[]
  readonly namedPaths: readonly string[]
  readonly vector: Float32Array | null
  /** The whole text and its runs, case-folded: the substrings that a staged policy searches for. */
  readonly runs: QueryRuns
  /** Whether the text asks for recent records. */
  readonly asksForRecent: boolean
  /** `files`, folded, with `/` instead of `\`; empty without a filter. */
  readonly files: readonly string[]
  /** The authority configuration of the app; null without one. */
  readonly authority: ResolvedAuthority | null
  /** Scores that links from the first records of the answer add, by id; null if the policy does not use links. */
  readonly linked: ReadonlyMap<string, number> | null
  /**
   * Lists the scope by recency. True if the query has neither text nor vector nor, under a policy in which preferences find
   * records, any preference; also true if the policy's scores do not depend on the query.
   */
  readonly listing: boolean
  /** Why the vector channel does not run; null if it runs. */
  readonly withoutVector: string | null
  readonly notes: readonly string[]
  /** The times that the text names, in order; absent without one. */
  readonly times?: readonly TimeWindow[] | undefined
  /** The text names times and has no other words but stop words: the records of these times are listed, newest first. */
  readonly timesAlone?: boolean | undefined
  /** The plan if no record of the scope is of these times, or every one; null with `timesAlone`. */
  readonly withoutTimes?: QueryPlan | null | undefined
  /** Times that were read, if they have no effect. */
  readonly read?: readonly TimeWindow[] | undefined
}

export interface TimeWindow {
  /** As it is written in the query. */
  readonly text: string
  /** ms, half-open; null on an open side. */
  readonly from: number | null
  readonly before: number | null
  /** The window in words, in the zone of the query: `9 to 15 November 2026`. */
  readonly words: string
}

export interface TypedWord {
  /** The word, folded. */
  readonly word: string
  /** The terms of the text with its last word complete. */
  readonly complete: readonly QueryTerm[]
  /** Index of the last word in `complete`; -1 if it is a stop word, which is not a term. */
  readonly term: number
}

export interface QueryRuns {
  readonly query: string
  /** Distinct runs, in the order of the text. */
  readonly terms: readonly string[]
}

export interface QueryTerm {
  /** A complete FTS5 phrase: quoted, and ending in `*` for a prefix. Never the raw text of a caller. */
  readonly phrase: string
  /** More phrases that count as this term: completions of an unfinished word that stemming would hide. */
  readonly completions?: readonly string[] | undefined
  /** The folded word or phrase, for reasons and snippet marks. */
  readonly word: string
  /** Stems of the term; a phrase has several. */
  readonly stems: readonly string[]
  /** Occurrences in the query, each weighted by how common the word is; above 0. */
  readonly weight: number
  /** Left out if no record of the scope matches: the words of a time, which records need not repeat. */
  readonly optional?: true | undefined
}

/** Two words of full weight that follow each other in the query. Words of less weight may be between them. */
export interface QueryPair {
  /** The FTS5 phrase of the two words, adjacent and in this order. */
  readonly phrase: string
  /** Indexes of the two terms in `terms`. */
  readonly terms: readonly [first: number, second: number]
}
