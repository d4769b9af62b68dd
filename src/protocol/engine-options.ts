/** What an engine is opened with: resolved by the client, complete, plain data but for the embedding port. */
import type { AuthorityConfig } from '../core/model/authority.ts'
import type { Policy } from '../core/model/policy.ts'
import type { RetentionConfig } from '../core/model/retention.ts'

export interface EngineOptions {
  readonly name: string
  readonly storage: 'auto' | 'opfs' | 'indexeddb' | 'memory'
  readonly runtime: 'worker' | 'inline'
  /** A literal, or the name of a shipped one. */
  readonly policy: Policy | string
  readonly authority: AuthorityConfig | null
  /** Undefined: as the store has it; a new one: `porter`. */
  readonly stemmer?: 'porter' | 'none' | undefined
  /** Undefined: as the store has them; a new one: none. */
  readonly metadataKeys?: readonly string[] | undefined
  readonly index: 'auto' | 'exact' | 'hnsw'
  /** Whether records that are acknowledged as used together are linked. */
  readonly autoLink: boolean
  /** The space that vectors, given or made, belong to; null: lexical only. */
  readonly space: { readonly name: string; readonly dimensions: number } | null
  /** Whether an embedder makes vectors for this store, in the engine or in the page; false where the app brings them. */
  readonly embeds?: boolean | undefined
  /** What becomes of a record whose vectors cannot be made. Default `store-without`. */
  readonly embedderFailure?: 'store-without' | 'reject' | undefined
  /** How long records stay; none: until they are forgotten. */
  readonly retention?: RetentionConfig | null | undefined
  /** URL of a module with `Extensions`; the engine's thread imports it. */
  readonly extensions?: string | undefined
  readonly sqliteWasm?: string | undefined
  readonly kernel?: string | undefined
}

/** Makes vectors inside the engine's thread or behind a port of it; absent when the client attaches vectors itself. */
export interface EmbeddingPort {
  embed(texts: readonly string[], role: 'query' | 'document'): Promise<readonly Float32Array[]>
}
