/** The types of answers: plain data that crosses a thread boundary unchanged. */
import type { Field, StoredRecord } from './record.ts'

/** The channels that find records for a query, in the order in which plans and ranks list them. */
export const pullChannels = ['lexical', 'terms', 'paths', 'vector', 'recent', 'linked', 'anchors'] as const
export type PullChannel = (typeof pullChannels)[number]

/** With `cyclic`, the channel of records that surface because they are due. Only `assemble` runs it. */
export const channels = [...pullChannels, 'cyclic'] as const
export type Channel = (typeof channels)[number]

export type MatchedField =
  | 'fts'
  | 'title'
  | 'summary'
  | 'body'
  | 'instruction'
  | 'command'
  | 'paths'
  | 'terms'
  | 'vector'

export type Freshness = 'fresh' | 'stale_changed' | 'stale_deleted' | 'unverifiable' | 'unknown'

/** One summand of a score. `amount` is what it adds to the score: `value × weight` if the signal is linear. */
export interface Contribution {
  readonly signal: string
  readonly value: number
  readonly weight: number
  readonly amount: number
  readonly reason: string
}

export interface Snippet {
  readonly text: string
  /** UTF-16 offsets [from, to) into `text`. */
  readonly marks: readonly (readonly [number, number])[]
}

/** Two short statements about one matter of which the later replaces the earlier, or a record and the one that supersedes it. */
export interface Change {
  /** Ids. */
  readonly earlier: string
  readonly later: string
  /** The stems of the words that both share. */
  readonly about: string
  readonly how: 'value' | 'denial' | 'end' | 'number' | 'time' | 'move'
}

export interface Hit {
  readonly id: string
  /** The sum of `contributions[].amount`, in the listed order [G3]. */
  readonly score: number
  /** With `select` of the query, only the selected fields and the id are there. */
  readonly record: StoredRecord
  readonly matched: readonly MatchedField[]
  readonly freshness: Freshness
  readonly riskSeverities: readonly string[]
  readonly reasons: readonly string[]
  readonly contributions: readonly Contribution[]
  /** Rank from 1 in each channel that found the record. */
  readonly ranks: Partial<Record<PullChannel, number>>
  readonly snippet: Snippet
  /**
   * Where the words of the query are in each matched field: UTF-16 offsets [from, to) into its whole text, ascending, without overlap; the
   * first 1,000. `paths` and `terms` are those of the record, one per line. A field that was matched without a word (by a path or a name
   * inside a text) may be missing.
   */
  readonly marks: Partial<Record<Field, readonly (readonly [number, number])[]>>
  /** Ids of the duplicates that were collapsed into this hit. */
  readonly collapsed: readonly string[]
  /** The statements that this one replaced, or that replaced it, among those near it in the ranking. Absent: none. */
  readonly changes?: readonly Change[]
  /** The passage of the body that answers best; null if the record is one passage. */
  readonly passage: HitPassage | null
  /** With `passages` of the query: its best passages, the best first; empty if the record is one passage. */
  readonly passages?: readonly HitPassage[] | undefined
}

/** Code points [from, to) of the body, and the nearest heading above. */
export interface HitPassage {
  readonly from: number
  readonly to: number
  readonly heading: string | null
}

export interface ChannelPlan {
  readonly ran: boolean
  /** Why the channel did not run, or a note about how it ran. */
  readonly why?: string | undefined
  readonly mode?: 'exact' | 'exact-tag' | 'hnsw' | undefined
  /** Records that were compared; in the vector channel, embedded chunks. */
  readonly scanned: number
  /** Records that matched, before any cut. */
  readonly matched: number
  /** True if no match was lost to a cut or an approximation. */
  readonly complete: boolean
}

/** Whether the scope contains any word of the query's text: an exact answer from FTS5's own terms [Q3]. */
export interface Existence {
  /** False: the scope contains none of the words, so the channels lexical, terms and paths do not run. */
  readonly mightExist: boolean
  /** Words that were looked up. The search stops at the first word that exists. */
  readonly tokens: number
}

export type ChannelPlans = Readonly<Record<Channel, ChannelPlan>> & { readonly times?: ChannelPlan | undefined }

export interface Plan {
  /** `times`: the records of the times that the text names; absent unless such a time tells records apart. */
  readonly channels: ChannelPlans
  /** Absent without text, and under a policy that searches for parts of words. */
  readonly existence?: Existence | undefined
  readonly policy: string
  /** Number of records in the scope. */
  readonly scope: number
  /** The changes of the query: cut text, dropped words. */
  readonly notes: readonly string[]
  /** Times, signs, synonyms and corrections read in the text of the query, in order of appearance. */
  readonly read: readonly Reading[]
}

/** Something that was read in the text of a query. `text` is as it is written. */
export type Reading =
  /** A time: ms, half-open [from, before); null on an open side. */
  | { readonly kind: 'time'; readonly text: string; readonly from: number | null; readonly before: number | null }
  /** A word that no record of the scope holds, and the word that is searched for instead. */
  | { readonly kind: 'typo'; readonly text: string; readonly as: string; readonly edits: 1 | 2 }
  /** A word or phrase, and a synonym of it that counts as it. */
  | { readonly kind: 'synonym'; readonly text: string; readonly as: string }
  /** A quoted or excluded phrase, without the quotes and the minus. */
  | { readonly kind: 'phrase' | 'without'; readonly text: string }

/** The stages at which a candidate can be lost, in the order in which deciding tries them. */
export const stages = ['gate', 'candidates', 'collapse', 'quota', 'threshold', 'limit', 'evidence'] as const
export type Stage = (typeof stages)[number]

/** A candidate that was not selected [S5]. */
export interface LedgerEntry {
  readonly id: string
  readonly reason: string
  readonly stage: Stage
  readonly score?: number | undefined
}

/** @deprecated Renamed to `LedgerEntry`. Removed in the next minor version. */
export type Dropped = LedgerEntry

export type EvidenceStrength = 'none' | 'weak' | 'strong'

export interface Evidence {
  readonly strength: EvidenceStrength
  /**
   * Probability that the store has an answer, 0..1 in steps of .001, if as many questions have an answer as have none. A higher strength
   * never has a lower probability. A logistic curve of the support for each mix of channels: docs/quality.md#probability.
   */
  readonly probability: number
  /** Share of the query's words that the best hit contains, weighted by idf, 0..1. */
  readonly coverage: number
  /** Cosine of the best vector hit; null without a vector channel. */
  readonly topCosine: number | null
  /** Score of the first selected record minus that of the second. The limit does not change it. */
  readonly gap: number
  /**
   * The languages that question and best hit may be in, if they have none in common: tags of languages, or names of scripts such as `Han`.
   * Then the meaning counts for more, because words hardly can. Absent in a store in English alone.
   */
  readonly across?: { readonly question: readonly string[]; readonly hit: readonly string[] } | undefined
  /** Why it is not stronger, in words, where that is known: the best records are not by or about the person of the question. */
  readonly reason?: string | undefined
}

export interface Receipt {
  /** `sel-` and 16 hex digits: a hash of the canonical query, the policy, the revision and the ids of the hits. */
  readonly id: string
  readonly storeRevision: number
  readonly policyHash: string
  readonly queryHash: string
  readonly now: number
  readonly ids: readonly string[]
  /** SHA-256 hex of ids and scores: equal digests mean equal answers. */
  readonly digest: string
  /** SHA-256 hex of the ids in the ledger, in its order; absent without a ledger. */
  readonly ledgerDigest?: string | undefined
}

/** A warning about several hits together. */
export interface Warning {
  /**
   * `stale_outranks_successor`: the second id supersedes the first, but ranks lower or is not in the answer. `contradicts`: the first id
   * is the later of two records that seem to contradict each other; at least one is in the answer, and the pair is not settled yet.
   */
  readonly code: 'stale_outranks_successor' | 'contradicts'
  readonly ids: readonly string[]
}

export interface RecallResult {
  readonly hits: readonly Hit[]
  /** The records that `reserve` of the query names, the best first; absent without `reserve`. They may be among the hits, too. */
  readonly reserved?: readonly Hit[] | undefined
  readonly evidence: Evidence
  readonly plan: Plan
  /** Every candidate that was not selected; null unless the query has `ledger`, `explain` or `capture`. */
  readonly ledger: readonly LedgerEntry[] | null
  readonly warnings: readonly Warning[]
  readonly authorityContext: string | null
  readonly receipt: Receipt
  readonly tookMs: number
  /** Present with `capture: true`: the input of `replay` from `scrubjay/core`. */
  readonly facts?: unknown
}

/** A record that says something of the subject. */
export interface Statement {
  readonly id: string
  readonly record: StoredRecord
  /** ms: when it happened, else when it was created. */
  readonly at: number
  /** Of a chat turn: who said it. */
  readonly speaker: string | null
  /** Pairs with statements that it replaced, or that replaced it. */
  readonly changes: readonly Change[]
  /** Id of the latest statement that replaced it. */
  readonly replacedBy: string | null
  /** Why it is not current, and what it replaced, in words with dates. */
  readonly reasons: readonly string[]
  /** Ids of older records with equal content. */
  readonly copies: readonly string[]
}

export interface About {
  readonly subject: string
  /** The statements that hold now, the latest first. */
  readonly current: readonly Statement[]
  /**
   * Statements that no longer hold: replaced, superseded, ended or expired. Those that led to one current statement are together, the latest
   * first, in the order of `current`; then the others.
   */
  readonly earlier: readonly Statement[]
  /** Statements that hold from a later time on, the next one first. */
  readonly upcoming: readonly Statement[]
  /** Of a recall of the subject. */
  readonly evidence: Evidence
  /** True: there are more records than `limit`. */
  readonly truncated: boolean
  readonly revision: number
}
