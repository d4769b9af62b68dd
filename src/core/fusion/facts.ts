/**
 * What gathering hands to deciding: plain data, one row per candidate in parallel arrays.
 * Row numbers name candidates here; they mean nothing outside and never decide an order.
 */
import type { StoredRecord } from '../model/record.ts'
import type { Channel, ChannelPlan } from '../model/result.ts'

export interface Facts {
  readonly revision: number
  /** Records in the scope. */
  readonly scopeRecords: number
  readonly channels: Readonly<Record<Channel, ChannelPlan>>
  readonly notes: readonly string[]
  readonly lexical: LexicalFacts | null
  readonly vector: VectorFacts | null
  readonly candidates: CandidateTable
  /** Rows whose status or validity may keep them out. */
  readonly gates: ReadonlyMap<number, GateFacts>
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
  /** Mean length of a record of the scope, in tokens. */
  readonly meanLength: number
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
  /** Exact terms of the query the record holds; paths: 2 equal, 1 at the end, 0 none. */
  readonly terms: Float64Array
  readonly paths: Float64Array
  /** Bounds on the cosine, equal where it is exact; NaN for a record without a vector. */
  readonly cosineLow: Float64Array
  readonly cosineHigh: Float64Array
  /** Rank from 1 in the recency listing; 0 where that channel did not run. */
  readonly recent: Float64Array
}

export interface GateFacts {
  readonly status: string
  readonly supersededBy: string | null
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly expiresAt: number | null
}
