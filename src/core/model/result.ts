/**
 * The types of results and receipts: plain data that crosses a thread boundary unchanged.
 */
import type { ErrorCode } from './errors.ts'
import type { StoredRecord } from './record.ts'

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
  /** Ids of the duplicates that were collapsed into this hit. */
  readonly collapsed: readonly string[]
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

export interface Plan {
  readonly channels: Readonly<Record<Channel, ChannelPlan>>
  /** Absent without text, and under a policy that searches for parts of words. */
  readonly existence?: Existence | undefined
  readonly policy: string
  /** Number of records in the scope. */
  readonly scope: number
  /** What was changed in the query: cut text, dropped words. */
  readonly notes: readonly string[]
}

/** The stages at which a candidate can be lost, in the order in which deciding tries them. */
export const stages = ['gate', 'candidates', 'collapse', 'quota', 'threshold', 'limit', 'evidence'] as const
export type Stage = (typeof stages)[number]

/** A candidate that was not selected [S5]. */
export interface Dropped {
  readonly id: string
  readonly reason: string
  readonly stage: Stage
  readonly score?: number | undefined
}

export type EvidenceStrength = 'none' | 'weak' | 'strong'

export interface Evidence {
  readonly strength: EvidenceStrength
  /** Share of the query's words that the best hit contains, weighted by idf, 0..1. */
  readonly coverage: number
  /** Cosine of the best vector hit; null without a vector channel. */
  readonly topCosine: number | null
  /** Score of the first selected record minus that of the second. The limit does not change it. */
  readonly gap: number
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
  /** `stale_outranks_successor`: the second id supersedes the first, but ranks lower or is not in the answer. */
  readonly code: 'stale_outranks_successor'
  readonly ids: readonly string[]
}

export interface RecallResult {
  readonly hits: readonly Hit[]
  readonly evidence: Evidence
  readonly plan: Plan
  /** Every candidate that was not selected; null unless the query has `ledger`, `explain` or `capture`. */
  readonly ledger: readonly Dropped[] | null
  readonly warnings: readonly Warning[]
  readonly authorityContext: string | null
  readonly receipt: Receipt
  readonly tookMs: number
  /** Present with `capture: true`: the input of `replay` from `scrubjay/core`. */
  readonly facts?: unknown
}

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
  /** Records that were deleted; 0 unless the mode is `replace`. */
  readonly removed: number
  /** Links that are new or stronger than before. */
  readonly links: number
  /** Files whose stored state is new. */
  readonly files: number
  /** Options in which the exporting store differs. Recall may give other answers here; open this store with the same options to avoid that. */
  readonly differing: readonly ('stemmer' | 'metadataKeys')[]
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

export interface ListPage {
  readonly items: readonly StoredRecord[]
  readonly nextCursor: string | null
  readonly limit: number
  readonly truncated: boolean
}

export interface Status {
  readonly name: string
  readonly backend: 'opfs' | 'indexeddb' | 'file' | 'memory'
  readonly durability: Durability
  /** Whether the browser promised to keep the store; null if the browser has no such API. */
  readonly persisted: boolean | null
  readonly quotaBytes: number | null
  readonly usageBytes: number | null
  /**
   * An estimate from the three fields above, not a measurement. `none`: the browser reported persistent storage. `low`: storage is best effort, which
   * the browser may delete when the device runs out of space, and at most 80 % of the quota are used. `high`: more is used, or the browser does
   * not report persistence. `certain`: the store is in memory. A page cannot detect a private window: its store is deleted with it, whatever
   * this value is.
   */
  readonly evictionRisk: 'none' | 'low' | 'high' | 'certain'
  readonly role: 'leader' | 'follower'
  readonly revision: number
  readonly records: number
  readonly vectors: {
    readonly space: string | null
    readonly dimensions: number | null
    /** Vectors of the current space and of other spaces. A long record has several vectors. */
    readonly current: number
    readonly otherSpaces: number
    /** Records without vectors, which the engine computes in the background. */
    readonly pending: number
  }
  /** The current options that derived data depends on. */
  readonly settings: { readonly stemmer: 'porter' | 'none'; readonly metadataKeys: readonly string[] }
  readonly indexes: Readonly<
    Record<
      'fts' | 'vector',
      { readonly state: 'ready' | 'building' | 'absent'; readonly revision: number; readonly kind: string }
    >
  >
  /** Bytes in use by the engine. `embedder`: the loaded table of the built-in embedder, which may be in its own worker; else 0. */
  readonly memoryBytes: {
    readonly vectors: number
    readonly postings: number
    readonly sqlite: number
    readonly embedder: number
  }
  readonly runtime: 'worker' | 'inline'
  readonly version: string
  /** What is degraded and why, in words [P2]. */
  readonly degraded: readonly string[]
}
