/** Options that an engine is opened with, as plain data: the client resolves them. */
import type { AuthorityConfig } from '../core/model/authority.ts'
import type { RecallError } from '../core/model/errors.ts'
import type { Policy } from '../core/model/policy.ts'
import type { RetentionConfig } from '../core/model/retention.ts'
import type { GivenLock } from '../core/model/lock.ts'

export interface EngineOptions {
  readonly name: string
  /** `file`: only in Node, and `name` is then the absolute path of the file. */
  readonly storage: 'auto' | 'opfs' | 'indexeddb' | 'file' | 'memory'
  readonly runtime: 'worker' | 'inline'
  /** A policy object, or the name of a built-in one. */
  readonly policy: Policy | string
  /** What opens the store. Default: it is not locked. */
  readonly lock?: GivenLock | undefined
  readonly authority: AuthorityConfig | null
  /** Undefined: the stored value; `porter` for a new store. */
  readonly stemmer?: 'porter' | 'none' | undefined
  /** Undefined: the stored keys; none for a new store. */
  readonly metadataKeys?: readonly string[] | undefined
  /** Undefined: the stored languages; English for a new store. */
  readonly languages?: readonly string[] | undefined
  readonly index: 'auto' | 'exact' | 'hnsw'
  /** Whether `acknowledge` links records that were used together. */
  readonly autoLink: boolean
  /** Embedding space of all vectors, from the app or an embedder. null: no vectors, recall uses words only. */
  readonly space: { readonly name: string; readonly dimensions: number } | null
  /** Set if vectors of the built-in embedder, which the engine makes, take the place of those of the space until the page has made them; for which texts. */
  readonly standIn?: 'english' | 'every' | undefined
  /** True: an embedder in the engine or in the page makes vectors. False: the app gives them. */
  readonly embeds?: boolean | undefined
  /** What to do with a record whose vectors cannot be made. Default `store-without`. */
  readonly embedderFailure?: 'store-without' | 'reject' | undefined
  /** How long records are kept. Default: until they are forgotten. */
  readonly retention?: RetentionConfig | null | undefined
  /** Whether earlier versions of records are kept. Default false. */
  readonly history?: boolean | undefined
  /** URL of a module that exports `Extensions`; the engine's thread imports it. */
  readonly extensions?: string | undefined
  readonly sqliteWasm?: string | undefined
  readonly kernel?: string | undefined
}

export interface PortOptions {
  /** Aborted with the call. A port may ignore it. */
  readonly signal?: AbortSignal | undefined
  /** `english`: with the English table alone, for texts that are English. Default: with all tables that the store's languages need. */
  readonly only?: 'english' | undefined
}

/** Makes vectors in the engine's thread or in a thread behind a port. Absent if the client attaches vectors itself. */
export interface EmbeddingPort {
  embed(texts: readonly string[], role: 'query' | 'document', options?: PortOptions): Promise<Float32Array[]>
  /**
   * Called with the languages of the store when it has opened, before the first text, and again when another opening changed them. Absent:
   * they do not matter to this embedder.
   */
  setLanguages?(languages: readonly string[]): void
  /** A port over the same tables with languages of its own, for another store. Absent: languages do not matter. */
  ofStore?(): EmbeddingPort
  /** Bytes of the loaded table; 0 before the first text. */
  bytes?(): number
  /** Why no text can be embedded any more; null while it works. */
  failure?(): RecallError | null
}
