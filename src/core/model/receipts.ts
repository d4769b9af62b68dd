/** The types of receipts: what a write, a check or a maintenance call did. Plain data that crosses a thread boundary unchanged. */
import type { ErrorCode } from './errors.ts'
import type { StoredRecord } from './record.ts'

export type Durability = 'committed' | 'scheduled' | 'memory'

export interface PutOutcome {
  readonly id: string
  readonly outcome: 'inserted' | 'updated' | 'unchanged' | 'filtered' | 'rejected'
  readonly code?: ErrorCode | undefined
  readonly field?: string | undefined
  readonly value?: string | undefined
  /** What the caller can do, in the imperative. */
  readonly hint?: string | undefined
  /** @deprecated Use `hint`, which has the same value. Removed in the next minor version. */
  readonly cure?: string | undefined
  readonly message?: string | undefined
  /** True if the content hash differs from the stored one. */
  readonly bodyChanged: boolean
  /**
   * Set if the record is stored and found by its words, but has no vectors yet: the embedder failed, or the input had
   * `vectors: 'pending'`. The engine computes the vectors in the background when the embedder works.
   */
  readonly vectors?: 'pending' | undefined
  /** Why the vectors are pending, in the embedder's words. */
  readonly why?: string | undefined
  /** With `findContradictions`: ids of earlier records that the record seems to contradict, the surest first. Absent if there are none. */
  readonly contradicts?: readonly string[] | undefined
  /** A note for the caller about a stored record: a time that seems to be in seconds. */
  readonly note?: string | undefined
}

export interface PutReceipt {
  /** One outcome per record, in the order of the input. */
  readonly records: readonly PutOutcome[]
  readonly revision: number
  readonly durability: Durability
}

export interface ForgetReceipt {
  /** Ids that were stored and are now deleted. */
  readonly forgotten: readonly string[]
  /** Requested ids that were not stored. */
  readonly missing: readonly string[]
  readonly revision: number
  readonly durability: Durability
}

/** Proof that a record was deleted completely. If so, all counts are 0 and `clean` is true [W3]. */
export interface ForgottenProof {
  readonly rows: number
  readonly fts: number
  readonly vectors: number
  readonly edges: number
  /** Log entries with text of the record. The log stores ids only. */
  readonly events: number
  /** Bytes for the record in memory: vector slots, id table, caches. */
  readonly bytes: number
  readonly clean: boolean
}

export interface ImportReceipt {
  readonly mode: 'merge' | 'replace'
  /** Records in the import. */
  readonly read: number
  readonly inserted: number
  /** Records that replaced older ones. */
  readonly updated: number
  /** Records whose stored version was the same or newer. */
  readonly unchanged: number
  /** Records that were left out, because this store has forgotten them. Put them, or import with `replace`, to have them back. */
  readonly forgotten: number
  /** Records that were deleted: by `replace`, or because the exported store had forgotten them. */
  readonly removed: number
  /** Links that are new or have another weight than before. */
  readonly links: number
  /** Files whose stored state is new or was removed. */
  readonly files: number
  /** Records of which both stores had changed the same version: one change won. The log has the id and the hash of each that lost. */
  readonly conflicts: number
  /** Options in which the exporting store differs. Recall may give other answers here; open this store with the same options to avoid that. */
  readonly differing: readonly ('stemmer' | 'metadataKeys' | 'languages')[]
  readonly revision: number
  readonly durability: Durability
}

export interface ReembedReceipt {
  /** Records that now have vectors of the current embedder and had none before. */
  readonly embedded: number
  /** Records that still have no vectors: they changed during the call, or the embedder returned none. */
  readonly remaining: number
  readonly revision: number
}

/** `not built`: this store has no such part, which is normal. `repaired`: it was damaged and now works again. */
export type IntegrityState = 'ok' | 'not built' | 'damaged' | 'repaired'

export interface IntegrityReport {
  /** True if nothing is damaged now. */
  readonly ok: boolean
  /** The database file itself: pages, indexes, references between tables. Never repaired. */
  readonly sqlite: IntegrityState
  /** The text index, compared with the texts. */
  readonly fts: IntegrityState
  /** Codes and vector index, compared with the vectors. */
  readonly vectors: IntegrityState
  /** Everything else that is derived from the records: digests, extracted references, tables in memory. */
  readonly derived: IntegrityState
  /** The problems in words, at most 100 of each kind. */
  readonly problems: readonly string[]
}

export interface CompactReceipt {
  /** Size of the database in bytes. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export type RetentionReason = 'max_age' | 'idle' | 'low_confidence' | 'max_records'

export interface RetainReceipt {
  /** The deleted records, or those that a dry run would delete: ascending by id, each with the first rule that applies. */
  readonly records: readonly { readonly id: string; readonly reason: RetentionReason }[]
  readonly dryRun: boolean
  readonly revision: number
  readonly durability: Durability
}

export interface Facets {
  /** Number of records that were counted. */
  readonly matched: number
  /** By key: its values with the number of records that have each, most records first, then by code points of the value. */
  readonly facets: Readonly<Record<string, readonly FacetCount[]>>
}

export interface FacetCount {
  readonly value: string | number | boolean
  readonly count: number
}

export interface Suggestion {
  /** The suggestion: the typed text with its last word completed, or a title as it is written. */
  readonly text: string
  /** Number of records of the scope that hold it: the words as they are written, or the title. */
  readonly records: number
}

export interface ListPage {
  readonly items: readonly StoredRecord[]
  readonly nextCursor: string | null
  readonly limit: number
  readonly truncated: boolean
}

/** Why a fact of an extractor is not stored. `late`, `failed`, `aborted`: none is; `refused`: by the store. */
export interface FactSkip {
  /** Its place in the extractor's answer; null if that is not known, or if it is about the whole answer. */
  readonly at: number | null
  readonly reason:
    | 'failed'
    | 'late'
    | 'aborted'
    | 'invalid'
    | 'unknown_turn'
    | 'too_long'
    | 'too_many'
    | 'duplicate'
    | 'refused'
  readonly message: string
}

/** The facts that an extractor read in turns. */
export interface FactsReceipt {
  readonly stored: readonly { readonly id: string; readonly outcome: PutOutcome['outcome'] }[]
  readonly skipped: readonly FactSkip[]
}

/** The receipt of `remember`; `facts` with an extractor. */
export interface RememberReceipt extends PutReceipt {
  readonly facts?: FactsReceipt | undefined
}
