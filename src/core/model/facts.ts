/**
 * The facts: what gathering passes to deciding. Plain data with one row per candidate, in parallel arrays.
 * A row number names a candidate within one recall; it has no meaning outside and never decides an order.
 */
import type { StagedSource } from './policy.ts'
import type { ReasonCodeName } from './reason-codes.ts'
import type { Cycle, StoredRecord } from './record.ts'
import type { ChannelPlans, Existence, Freshness } from './result.ts'

export interface Facts {
  readonly revision: number
  /** Number of records in the scope. */
  readonly scopeRecords: number
  readonly channels: ChannelPlans
  readonly notes: readonly string[]
  /** Null if the existence check did not run. */
  readonly existence: Existence | null
  readonly lexical: LexicalFacts | null
  readonly vector: VectorFacts | null
  /** Absent in a store in English alone, without vectors, and if the question does not show its language. */
  readonly languages?: LanguageFacts | undefined
  /** How many records of the scope are of the times that the text names; absent if it names none. */
  readonly ofTimes?: number | undefined
  readonly candidates: CandidateTable
  /** Rows whose status, validity, reason codes or risks may exclude them. */
  readonly gates: ReadonlyMap<number, GateFacts>
  /** Reason rows, for the candidates that have any. */
  readonly reasons: ReadonlyMap<number, readonly ReasonFact[]>
  /** Freshness of the rows with a reference to a file of known state. */
  readonly freshness: ReadonlyMap<number, Freshness>
  /** Rows with cycles or pressure; empty if the policy does not use them. */
  readonly due: ReadonlyMap<number, DueFacts>
  /** The records read so far, for selecting and presenting. Grows between rounds. */
  readonly records: ReadonlyMap<number, StoredRecord>
  /** Ids of records that seem to contradict each other, the later first, if one of them is a candidate; absent without any. */
  readonly contradictions?: readonly (readonly [string, string])[] | undefined
  /** Ids of candidates that seemed to contradict each other and are both right, as somebody decided; absent without any. */
  readonly agreements?: readonly (readonly [string, string])[] | undefined
  /** Candidates that no channel found: they only take the place of a record that they replace [H1]. */
  readonly unfound?: ReadonlySet<number> | undefined
  /** For each long row read: the place of its nearest vector in summary and body, in UTF-16 units; absent without one. */
  readonly nearest?: ReadonlyMap<number, readonly [from: number, to: number]> | undefined
  /** For each row read: the candidates with the same content hash, including itself. */
  readonly duplicates: ReadonlyMap<number, readonly number[]>
}

/** Absolute BM25 over the whole scope. Records without a match count 0. */
export interface LexicalFacts {
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /** The BM25 that an absolute score of 1 means: score × highest is BM25. */
  readonly highest: number
  /** Mean length of a record of the scope, in tokens. */
  readonly meanLength: number
  /** The idf of each term times its weight, and what it is made of: only if words count by the scope. */
  readonly idfs?: readonly number[] | undefined
  readonly terms?: { readonly weights: readonly number[]; readonly frequencies: readonly number[] } | undefined
  /** Share of the unfinished last word in the coverage of the complete text, 0..1; absent without such a word. */
  readonly typedShare?: number | undefined
  /** Share of the wholes that records of the scope have (joined names, signs, numbers) in the weight of the question, 0..1; absent without one. */
  readonly namedShare?: number | undefined
}

export interface VectorFacts {
  readonly space: string
  /** Mean and standard deviation of the query's cosine over the scope. */
  readonly mean: number
  readonly deviation: number
  /** Best cosine as estimated from codes. */
  readonly best: number
  /** Records of the scope that have vectors. */
  readonly records: number
}

/** The languages that texts may be in: those of Latin letters by their tags, others by the names of their scripts. */
export interface LanguageFacts {
  readonly asked: readonly string[]
  /** Of the rows for which it was needed so far; empty: the text shows none. */
  readonly of: ReadonlyMap<number, readonly string[]>
}

export interface CandidateTable {
  readonly length: number
  readonly ids: readonly string[]
  /** Absolute BM25, 0..1; 0 without a matching word. */
  readonly lexical: Float64Array
  readonly coverage: Float64Array
  /** Number of distinct query terms in the text of the record. */
  readonly matched: Float64Array
  /** `coverage` and `matched` as if the unfinished last word were complete; absent without such a word. */
  readonly complete?: { readonly coverage: Float64Array; readonly matched: Float64Array } | undefined
  /** Score of the query's word pairs that are adjacent in the record, 0..1 (`LexicalScores.pairs`). */
  readonly pairs: Float64Array
  /** Number of exact query terms in the record. Of paths: 2 equal, 1 at the end, 0 none. */
  readonly terms: Float64Array
  readonly paths: Float64Array
  /** Bounds on the cosine, equal if it is exact; NaN for a record without a vector. */
  readonly cosineLow: Float64Array
  readonly cosineHigh: Float64Array
  /** Rank from 1 in the recency listing; 0 if that channel did not run. */
  readonly recent: Float64Array
  /**
   * The share of each record's event time in the window of the query that contains most of it, 0..1, and the number of that window
   * in `QueryPlan.times`; absent without such a window. `named`: 1 if its title is this time; absent unless the text is nothing but a date.
   */
  readonly time?:
    | { readonly share: Float64Array; readonly window: Uint8Array; readonly named?: Uint8Array | undefined }
    | undefined
  /** By row, the number from 1 of the entry of `QueryPlan.without` that the record contains, or 0; absent without entries. */
  readonly without?: Float64Array | undefined
  /** By row, 1 if `reserve` of the query names the record; absent without `reserve`. */
  readonly reserved?: Uint8Array | undefined
  /**
   * By row, the number from 1 of the synonym that the record has in place of its term, or 0, over the synonyms of all terms in order;
   * absent without synonyms.
   */
  readonly synonym?: Float64Array | undefined
  /** By row, the number from 1 of the first word form, among the forms of all terms, that is in the record in place of its term. */
  readonly form?: Float64Array | undefined
  /** By row, the number of corrected words of the query in the record; absent without corrected words. */
  readonly corrected?: Float64Array | undefined
  /**
   * Of each long record, under a policy that ranks by passages: those with the words of the query, the best first, from 1; 0 is what is before the
   * body. Absent if no record is long.
   */
  readonly passages?: ReadonlyMap<number, readonly number[]> | undefined
  /** What links from the first records of the answer add, 0..1; 0 without links. */
  readonly linked: Float64Array
  /** Number of preferred fields that the record has; 0 if that channel did not run. */
  readonly anchors: Float64Array
  /** 1 if the field of the record equals the preferred value; null if the query prefers none. */
  readonly prefer: Readonly<Record<'project' | 'kind' | 'topic', Float64Array>> | null
  /** 1 if a path of the record passes the `files` filter; null without a filter. */
  readonly files: Float64Array | null
  /** Every row by the policy's time, then id, both descending; null if ties are broken among the records that were read. */
  readonly newest: Int32Array | null
  /**
   * The session of each row, numbered from 1, and its place in the session by (position, id), from 0 without gaps. Equal names
   * in different projects or banks are different sessions. Places count all records, not only candidates. `length`: tokens by
   * which the row receives from its neighbours. All are 0 for a row without session or position. Null if no record has both, or the
   * policy does not use them.
   */
  readonly sessions: {
    readonly group: Float64Array
    readonly place: Float64Array
    readonly length: Float64Array
  } | null
  /** ms; null if the policy does not use them. */
  readonly createdAt: Float64Array | null
  readonly updatedAt: Float64Array | null
  /** Last touch for decay (ms), confidence, and write score (0 without one); null if the policy does not use them. */
  readonly touchedAt: Float64Array | null
  readonly confidence: Float64Array | null
  readonly writeScore: Float64Array | null
  /** Importance, number of accesses, and lifetime in days; null if the policy does not use them. */
  readonly importance: Float64Array | null
  readonly accesses: Float64Array | null
  readonly lifeDays: Float64Array | null
  /** Strengths in the sources of a staged policy, 0 if not found there. Except `fts`, whose strength is `lexical`. */
  readonly sources: Readonly<Record<Exclude<StagedSource, 'fts'>, Float64Array>> | null
}

/** What makes a record due: its cycles with the learned amplitudes, and its pressure. */
export interface DueFacts {
  readonly cycles: readonly Cycle[]
  /** Per day. */
  readonly pressureRate: number
  /** When the pressure was last relieved, ms; null if never. */
  readonly resolvedAt: number | null
}

/** A reason row of a candidate. */
export interface ReasonFact {
  readonly code: ReasonCodeName
  readonly weight: number
}

export interface GateFacts {
  readonly status: string
  readonly supersededBy: string | null
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly expiresAt: number | null
  /** Codes of the `exclude` category. */
  readonly codes: readonly string[]
  /** Whether the record has a risk of severity `block`. */
  readonly blocked: boolean
}

/** What must be read into the facts before the answer is certain. */
export interface Need {
  readonly need: {
    /** Rows whose records must be read. */
    readonly records: readonly number[]
    /** Rows whose exact cosines must be computed. */
    readonly cosines: readonly number[]
    /** Rows whose languages must be guessed. */
    readonly languages?: readonly number[] | undefined
  }
}
