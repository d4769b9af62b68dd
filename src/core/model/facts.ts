/**
 * What gathering hands to deciding: plain data, one row per candidate in parallel arrays.
 * Row numbers name candidates here; they mean nothing outside and never decide an order.
 */
import type { StagedSource } from './policy.ts'
import type { ReasonCodeName } from './reason-codes.ts'
import type { Cycle, StoredRecord } from './record.ts'
import type { Channel, ChannelPlan, Existence, Freshness } from './result.ts'

export interface Facts {
  readonly revision: number
  /** Records in the scope. */
  readonly scopeRecords: number
  readonly channels: Readonly<Record<Channel, ChannelPlan>>
  readonly notes: readonly string[]
  /** Null where it was not asked. */
  readonly existence: Existence | null
  readonly lexical: LexicalFacts | null
  readonly vector: VectorFacts | null
  readonly candidates: CandidateTable
  /** Rows whose status, validity, reason codes or risks may keep them out. */
  readonly gates: ReadonlyMap<number, GateFacts>
  /** Reason rows, for the rows that have any. */
  readonly reasons: ReadonlyMap<number, readonly ReasonFact[]>
  /** Freshness of the rows that reference a file of which something is known. */
  readonly freshness: ReadonlyMap<number, Freshness>
  /** Of the rows that swing or press; empty where the policy does not ask. */
  readonly due: ReadonlyMap<number, DueFacts>
  /** Rows read so far: what selecting and presenting need. Grows between rounds. */
  readonly records: ReadonlyMap<number, StoredRecord>
  /** For each row read: the candidates with its content hash, itself among them. */
  readonly twins: ReadonlyMap<number, readonly number[]>
}

/** Absolute BM25 over the whole scope, records without a match counting 0. */
export interface LexicalFacts {
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /** What an absolute score of 1 stands for: score × highest is BM25. */
  readonly highest: number
  /** Mean length of a record of the scope, in tokens. */
  readonly meanLength: number
  /** The share of the word still being typed in the coverage of the complete text, 0..1; absent where there is none. */
  readonly typedShare?: number | undefined
}

export interface VectorFacts {
  readonly space: string
  /** Mean and standard deviation of the query's cosine over the scope. */
  readonly mean: number
  readonly deviation: number
  /** Best cosine as estimated, before rescoring. */
  readonly best: number
  /** Records with vectors in the scope. */
  readonly records: number
}

export interface CandidateTable {
  readonly length: number
  readonly ids: readonly string[]
  /** Absolute BM25, 0..1; 0 where no word matched. */
  readonly lexical: Float64Array
  readonly coverage: Float64Array
  /** Distinct terms of the query the record's text holds. */
  readonly matched: Float64Array
  /** The same two of the text as if the word still being typed were complete; absent where none is. */
  readonly complete?: { readonly coverage: Float64Array; readonly matched: Float64Array } | undefined
  /** How much of the query's pairs of words stands side by side in the record, 0..1 (`LexicalScores.pairs`). */
  readonly pairs: Float64Array
  /** Exact terms of the query the record holds; paths: 2 equal, 1 at the end, 0 none. */
  readonly terms: Float64Array
  readonly paths: Float64Array
  /** Bounds on the cosine, equal where it is exact; NaN for a record without a vector. */
  readonly cosineLow: Float64Array
  readonly cosineHigh: Float64Array
  /** Rank from 1 in the recency listing; 0 where that channel did not run. */
  readonly recent: Float64Array
  /** What links to the first records of the answer pass on, 0..1; 0 for none. */
  readonly linked: Float64Array
  /** Number of preferred fields the record has; 0 where that channel did not run. */
  readonly anchors: Float64Array
  /** 1 where the record's field equals the preferred one; null when the query prefers none. */
  readonly prefer: Readonly<Record<'project' | 'kind' | 'topic', Float64Array>> | null
  /** 1 where a path of the record passes the `files` filter; null without one. */
  readonly files: Float64Array | null
  /** Every row by the policy's time, then id, both descending; null where equals are settled among the records read. */
  readonly newest: Int32Array | null
  /**
   * The session a row stands in, numbered from 1 (equal names of different projects or banks are different sessions), and
   * its place there by (position, id), from 0 without gaps, records that are no candidates included; 0 and 0 for a row
   * without session or position. Null where no record has both, or the policy does not ask.
   */
  readonly sessions: { readonly group: Float64Array; readonly place: Float64Array } | null
  /** ms; null where the policy does not ask. */
  readonly createdAt: Float64Array | null
  readonly updatedAt: Float64Array | null
  /** When the decay clock was set (ms), confidence, and write score (0 for none); null where the policy does not ask. */
  readonly touchedAt: Float64Array | null
  readonly confidence: Float64Array | null
  readonly writeScore: Float64Array | null
  /** Importance, accesses and the days a memory of this kind lives; null where the policy does not ask. */
  readonly importance: Float64Array | null
  readonly accesses: Float64Array | null
  readonly lifeDays: Float64Array | null
  /** Strengths within the sources of a staged policy beside `fts`, whose strength is `lexical`; 0: not found there. */
  readonly sources: Readonly<Record<Exclude<StagedSource, 'fts'>, Float64Array>> | null
}

/** What makes a record due: its cycles with the amplitudes learned, and the pressure that builds. */
export interface DueFacts {
  readonly cycles: readonly Cycle[]
  /** Per day. */
  readonly pressureRate: number
  /** When its pressure was last relieved, ms; null: never. */
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
  /** Whether a risk of severity `block` stands on it. */
  readonly blocked: boolean
}

/** What must be read into the facts before the answer is certain. */
export interface Need {
  readonly need: {
    /** Rows whose record is wanted. */
    readonly records: readonly number[]
    /** Rows whose cosine is wanted exactly. */
    readonly cosines: readonly number[]
  }
}
