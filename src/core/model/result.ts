/**
 * What the engine answers. Plain data throughout: every value here crosses a thread boundary unchanged.
 */
import type { ErrorCode } from './errors.ts'
import type { StoredRecord } from './record.ts'

/** Ways a question can bring a record up, in the order in which plans and ranks list them. */
export const pullChannels = ['lexical', 'terms', 'paths', 'vector', 'recent', 'linked', 'anchors'] as const
export type PullChannel = (typeof pullChannels)[number]

/** With the one that surfaces records unasked, as they come due: only `assemble` runs it. */
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

/** One summand of a score: `amount` is what it adds; `value × weight` where the signal is linear. */
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
  /** The sum of `contributions[].amount`, in listed order [G3]. */
  readonly score: number
  readonly record: StoredRecord
  readonly matched: readonly MatchedField[]
  readonly freshness: Freshness
  readonly riskSeverities: readonly string[]
  readonly reasons: readonly string[]
  readonly contributions: readonly Contribution[]
  /** Rank from 1 in each channel that found the record. */
  readonly ranks: Partial<Record<PullChannel, number>>
  readonly snippet: Snippet
  /** Ids folded into this hit as duplicates. */
  readonly collapsed: readonly string[]
}

export interface ChannelPlan {
  readonly ran: boolean
  /** Why it did not run, or anything a reader should know of how it did. */
  readonly why?: string | undefined
  readonly mode?: 'exact' | 'exact-tag' | 'hnsw' | undefined
  /** Records (vectors: embedded pieces) looked at. */
  readonly scanned: number
  /** Records that matched, before any cut. */
  readonly matched: number
  /** True when no match was lost to a cut or an approximation. */
  readonly complete: boolean
}

/** Whether the scope holds anything of the query's text, answered exactly from FTS5's own terms [Q3]. */
export interface Existence {
  /** False: surely not. The lexical, terms and paths channels then have nothing to find and do not run. */
  readonly mightExist: boolean
  /** Tokens of the text that were looked up: it ends with the first that is there. */
  readonly tokens: number
}

export interface Plan {
  readonly channels: Readonly<Record<Channel, ChannelPlan>>
  /** Absent where it was not asked: without text, and where a policy looks for parts of words. */
  readonly existence?: Existence | undefined
  readonly policy: string
  /** Records in the scope. */
  readonly scope: number
  /** Things done to the query that its author should know: cut text, dropped words. */
  readonly notes: readonly string[]
}

/** Where a candidate is lost, in the order in which it is tried. */
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
  /** IDF-weighted share of the query's words that the best hit holds, 0..1. */
  readonly coverage: number
  /** Cosine of the best vector hit, or null without a vector channel. */
  readonly topCosine: number | null
  /** First score less the second, of what the policy selects: the same at every limit. */
  readonly gap: number
}

export interface Receipt {
  /** `sel-` and 16 hex digits over the canonical query, the selected and the dropped ids. */
  readonly id: string
  readonly storeRevision: number
  readonly policyHash: string
  readonly queryHash: string
  readonly now: number
  readonly ids: readonly string[]
  /** SHA-256 hex over ids and scores: equal digests mean equal answers. */
  readonly digest: string
}

/** What a reader of the hits should know of them together. */
export interface Warning {
  /** `stale_outranks_successor`: the first id is superseded by the second, which ranks lower or is not in the answer. */
  readonly code: 'stale_outranks_successor'
  readonly ids: readonly string[]
}

export interface RecallResult {
  readonly hits: readonly Hit[]
  readonly evidence: Evidence
  readonly plan: Plan
  readonly ledger: readonly Dropped[]
  readonly warnings: readonly Warning[]
  readonly authorityContext: string | null
  readonly receipt: Receipt
  readonly tookMs: number
  /** Present with `capture: true`: what `replay` of `scrubjay/core` takes. */
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
  /** True when the content hash differs from what was stored before. */
  readonly bodyChanged: boolean
  /**
   * Set where the record is stored, and found by its words, but has no vectors yet: the embedder failed, or `vectors: 'pending'` was
   * given. They are made in the background when the embedder works.
   */
  readonly vectors?: 'pending' | undefined
  /** Why the vectors are pending, in the embedder's words. */
  readonly why?: string | undefined
  /** What the caller should look at although the record is stored: a time that seems to be given in seconds. */
  readonly note?: string | undefined
}

export interface PutReceipt {
  /** One per record, in the order given. */
  readonly records: readonly PutOutcome[]
  readonly revision: number
  readonly durability: Durability
}

export interface ForgetReceipt {
  /** Ids that were stored and are gone. */
  readonly forgotten: readonly string[]
  /** Ids asked for by name that were not stored. */
  readonly missing: readonly string[]
  readonly revision: number
  readonly durability: Durability
}

/** All counts are 0 and `clean` is true when nothing of the record is left [W3]. */
export interface ForgottenProof {
  readonly rows: number
  readonly fts: number
  readonly vectors: number
  readonly edges: number
  /** Log entries that still hold text of the record (the log keeps ids, never text). */
  readonly events: number
  /** Bytes still held for it in memory: vector slots, id table, caches. */
  readonly bytes: number
  readonly clean: boolean
}

export interface ImportReceipt {
  readonly mode: 'merge' | 'replace'
  /** Records in the import. */
  readonly read: number
  readonly inserted: number
  /** Records that took the place of older ones. */
  readonly updated: number
  /** Records that were stored already, the same or newer. */
  readonly unchanged: number
  /** Records that are gone: only `replace` removes any. */
  readonly removed: number
  /** Links that are new or stronger than before. */
  readonly links: number
  /** Files of which more is known than before. */
  readonly files: number
  /** Options in which the exporting store differs: recall may answer otherwise here. Open this store with them to have the same. */
  readonly differing: readonly ('stemmer' | 'metadataKeys')[]
  readonly revision: number
  readonly durability: Durability
}

export interface ReembedReceipt {
  /** Records that have vectors of the current embedder now, and had none before. */
  readonly embedded: number
  /** Records still without: changed meanwhile, or the embedder makes none. */
  readonly remaining: number
  readonly revision: number
}

/** `not built`: nothing of the kind is kept here, which is no fault. `repaired`: it was damaged, and is not any longer. */
export type IntegrityState = 'ok' | 'not built' | 'damaged' | 'repaired'

export interface IntegrityReport {
  /** Nothing is damaged now. */
  readonly ok: boolean
  /** The database file itself: pages, indexes, references between tables. Never repaired. */
  readonly sqlite: IntegrityState
  /** The text index against the texts. */
  readonly fts: IntegrityState
  /** Codes and index against the vectors. */
  readonly vectors: IntegrityState
  /** Everything else that follows from the records: digests, extracted references, tables in memory. */
  readonly derived: IntegrityState
  /** What was found, in words; at most 100 of each kind. */
  readonly problems: readonly string[]
}

export interface CompactReceipt {
  /** Bytes of the database. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export type RetentionReason = 'max_age' | 'idle' | 'low_confidence' | 'max_records'

export interface RetainReceipt {
  /** What went, or would go in a dry run: by id, ascending, each with the first rule that says so. */
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
  readonly backend: 'opfs' | 'indexeddb' | 'memory'
  readonly durability: Durability
  /** Whether the browser promised not to evict; null where it cannot be asked. */
  readonly persisted: boolean | null
  readonly quotaBytes: number | null
  readonly usageBytes: number | null
  /**
   * How likely the browser is to delete the store on its own. `none`: it promised not to. `certain`: the store is in memory. No browser tells
   * a page that its window is private: there the store goes with the window, whatever stands here.
   */
  readonly evictionRisk: 'none' | 'low' | 'high' | 'certain'
  readonly role: 'leader' | 'follower'
  readonly revision: number
  readonly records: number
  readonly vectors: {
    readonly space: string | null
    readonly dimensions: number | null
    /** Vectors of this space and of others: a long record has several. */
    readonly current: number
    readonly otherSpaces: number
    /** Records whose vectors could not be made yet. */
    readonly pending: number
  }
  /** Options that what is stored follows from, as they are now. */
  readonly settings: { readonly stemmer: 'porter' | 'none'; readonly metadataKeys: readonly string[] }
  readonly indexes: Readonly<
    Record<
      'fts' | 'vector',
      { readonly state: 'ready' | 'building' | 'absent'; readonly revision: number; readonly kind: string }
    >
  >
  /** Bytes the engine holds. The table of the built-in embedder (4.3 MB, in a worker of its own) is not among them. */
  readonly memoryBytes: { readonly vectors: number; readonly postings: number; readonly sqlite: number }
  readonly runtime: 'worker' | 'inline'
  readonly version: string
  /** Anything that works less well than it could, in words [P2]. */
  readonly degraded: readonly string[]
}
