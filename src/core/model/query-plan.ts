/** The plan of one question: which channels run, with what, how deep, and what deciding must know. Data only. */
import type { ResolvedAuthority } from './authority.ts'
import type { FactNeeds } from './fact-needs.ts'
import type { Policy } from './policy.ts'
import type { RecallQuery, Scope } from './query.ts'

export interface QueryPlan {
  readonly query: RecallQuery
  readonly policy: Policy
  /** What the policy's fusion must know of each candidate. */
  readonly needs: FactNeeds
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

export interface QueryTerm {
  /** A complete FTS5 phrase: quoted, and ending in `*` for a prefix. Never a caller's raw text. */
  readonly phrase: string
  /** Phrases that count as this one too: what a word still being typed may become, where stemming would hide that. */
  readonly completions?: readonly string[] | undefined
  /** The word or phrase as folded, for reasons and marks. */
  readonly word: string
  /** Stems the term stands for (several for a phrase). */
  readonly stems: readonly string[]
  /** Occurrences in the query, each weighted by how common the word is; above 0. */
  readonly weight: number
}

/** Two words of full weight that follow each other in the query, but for words of less weight between them. */
export interface QueryPair {
  /** The FTS5 phrase of the two, side by side in this order. */
  readonly phrase: string
  /** Which terms they are. */
  readonly terms: readonly [first: number, second: number]
}
