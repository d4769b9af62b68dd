/** The type of `status()`: plain data that crosses a thread boundary unchanged. */
import type { Durability } from './receipts.ts'

export interface Status {
  readonly name: string
  /** `server`: rows of a shared database (`scrubjay/server`). */
  readonly backend: 'opfs' | 'indexeddb' | 'file' | 'memory' | 'server'
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
  /** Vectors of records in the current space; null without one. */
  readonly embedding: EmbeddingStatus | null
  /**
   * The earlier versions of records that a store with `history` keeps, and the time (ms) from which it knows each of its states (null: all of
   * them). Null without `history`.
   */
  readonly history: { readonly since: number | null; readonly versions: number; readonly bytes: number } | null
  /** The current options that derived data depends on. */
  readonly settings: {
    readonly stemmer: 'porter' | 'none'
    readonly metadataKeys: readonly string[]
    readonly languages: readonly string[]
  }
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
  /** Each degradation with its reason, in words [P2]. */
  readonly degraded: readonly string[]
}

export interface EmbeddingStatus {
  readonly space: string
  /** Records that have their vectors, and all that will have them. Vectors that the built-in embedder makes for another one do not count. */
  readonly done: number
  readonly of: number
  /** Records a second, as measured by this client while it makes them in the background; null before. */
  readonly perSecond: number | null
}
