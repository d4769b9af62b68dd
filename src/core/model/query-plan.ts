/** The plan of one query: the channels, their inputs and depths, and the facts that deciding needs. Plain data. */
import type { ResolvedAuthority } from './authority.ts'
import type { FactNeeds } from './fact-needs.ts'
import type { Policy } from './policy.ts'
import type { RecallQuery, Scope } from './query.ts'
import type { TextField } from './record.ts'
import type { Reading } from './result.ts'

export interface QueryPlan {
  readonly query: RecallQuery
  /** The text of the query, with line breaks instead of the words that no answer may contain. */
  readonly text: string
  readonly policy: Policy
  /** The facts that the policy's fusion needs about each candidate. */
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
  readonly joins: readonly QueryJoin[]
  /** Excluded words and phrases; absent if there are none. */
  readonly without?: readonly HeldBack[] | undefined
  /** The fields in which words count; absent: all of them. The phrases of the plan name them. */
  readonly fields?: readonly TextField[] | undefined
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
  /** The text is nothing but a date: these terms look for it in texts. */
  readonly asWords?: readonly QueryTerm[] | undefined
  /** A text of the scope holds `asWords`, so they are the terms. */
  readonly heldAsWords?: true | undefined
  /** The plan if no record of the scope is of these times, or every one; null with `timesAlone`. */
  readonly withoutTimes?: QueryPlan | null | undefined
  /** Folded words that are never corrected: those of times. */
  readonly asWritten?: readonly string[] | undefined
  /** Times, signs and corrections read in the text, in order; absent if there are none. */
  readonly read?: readonly Reading[] | undefined
}

export interface HeldBack {
  /** The words of it, folded. */
  readonly words: readonly string[]
  /** The FTS5 phrases of a word or phrase, in every form that counts as it. */
  readonly phrases: readonly string[]
  /** For the ledger: `contains -word`. */
  readonly reason: string
}

export interface TimeSpan {
  /** ms, half-open; null on an open side. */
  readonly from: number | null
  readonly before: number | null
  /** The same as clocks show it in the zone of the query, as if that were UTC. */
  readonly local: readonly [from: number | null, before: number | null]
  /** The window in words, in the zone of the query: `9 to 15 November 2026`. */
  readonly words: string
}

export interface TimeWindow extends TimeSpan {
  /** As it is written in the query. */
  readonly text: string
  /** What else it may mean, most likely first; taken if no record of the scope is of the window. Absent: nothing. */
  readonly others?: readonly TimeSpan[] | undefined
}

export interface TypedWord {
  /** The word, folded. */
  readonly word: string
  /** The terms of the text with its last word complete. */
  readonly complete: readonly QueryTerm[]
  /** Index of the last word in `complete`; -1 if it is a stop word, which is not a term. */
  readonly term: number
  /** The fields in which words count; absent: all of them. */
  readonly fields?: readonly TextField[] | undefined
  /** The joins of these terms. */
  readonly joins: readonly QueryJoin[]
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
  /** More phrases that count as this term: the word written as several words, such as `"use effect"`. */
  readonly apart?: readonly string[] | undefined
  /** Whether every cut of the word in two counts as this term if nothing else in the scope does (`cutsOfTerm`). */
  readonly mayBeCut?: boolean | undefined
  /** Synonyms that the policy has for the term; their phrases count as it. */
  readonly synonyms?: readonly Synonym[] | undefined
  /** Forms of the word in the languages of the store, and compounds of it; absent: it has none, or they were not looked up yet. */
  readonly forms?: readonly TermForm[] | undefined
  /** Stems of the term and of its synonyms of one word; a phrase has several. */
  readonly stems: readonly string[]
  /** Occurrences in the query, each weighted by how common the word is; above 0. */
  readonly weight: number
  /** Share of its weight that a match adds, 0..1: of a corrected word. Absent: all of it. */
  readonly share?: number | undefined
  /** The term is a whole: a joined name, a number in several words, or a word with signs. */
  readonly isName?: true | undefined
  /** A whole as the query writes it, in small letters: records that write it so come first. */
  readonly written?: string | undefined
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

export interface TermForm {
  /** A complete FTS5 phrase. */
  readonly phrase: string
  /** As records write it, folded. */
  readonly word: string
  /** Counts in records of these languages and in those that name none; null: in every record. */
  readonly languages: readonly string[] | null
  /** The word is a part of this one: it counts less, and only in records that do not match the term otherwise. */
  readonly isWhole?: true | undefined
}

export interface Synonym {
  /** A complete FTS5 phrase. */
  readonly phrase: string
  /** The word or phrase as the query writes it, and the synonym as the policy writes it. */
  readonly text: string
  readonly as: string
}

/** Terms of the query that may be written as one word: a record with that word has each of them. */
export interface QueryJoin {
  /** FTS5 phrases of the one word, and of its parts one after the other. */
  readonly joined: string
  readonly apart: string
  /** Stem of the one word. */
  readonly stem: string
  /** Indexes in `terms`. */
  readonly terms: readonly number[]
  /** True: the query joins them by a sign (`node.js`). False: the word counts only if no record of the scope has `apart`. */
  readonly always: boolean
}
