/** What an app may say when it opens a store. All optional; defaults stand in resolve-options.ts. */
import type { AuthorityConfig } from '../../core/model/authority.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { RetentionConfig } from '../../core/model/retention.ts'
import type { PolicyName } from '../../core/policies/policies.ts'
import type { Embedder } from '../../protocol/embedder.ts'
import type { Progress } from '../../protocol/events.ts'
import type { Extensions } from '../../protocol/extensions.ts'
import type { PageWorker } from '../../protocol/platform-types.ts'

export interface OpenOptions {
  /** One name is one database. Opened twice on a page, it is one shared engine. Default `default`. */
  readonly name?: string | undefined
  /**
   * `auto` takes the most durable kind that works and says in `status()` what it had to do without; a named kind is
   * opened or refused with `STORAGE_UNAVAILABLE`. Node has `memory` alone. Default `auto`.
   */
  readonly storage?: 'auto' | 'opfs' | 'indexeddb' | 'memory' | undefined
  /** Where the engine runs: in a Web Worker, or in this process (Node). Default `auto`: what the platform has. */
  readonly runtime?: 'auto' | 'worker' | 'inline' | undefined
  /** Default: the built-in static one, which runs off the page's thread. null: recall by words alone. */
  readonly embedder?: Embedder | null | undefined
  /**
   * What becomes of a record whose vectors cannot be made, because the embedder fails, gives no answer in time or answers what it
   * must not. `store-without`: it is stored and found by its words, its receipt says `vectors: 'pending'` and why, and the vectors
   * follow in the background once the embedder works. `reject`: the put or patch rejects and stores nothing. A question is answered
   * by its words either way. Default `store-without`.
   */
  readonly embedderFailure?: 'store-without' | 'reject' | undefined
  /** Decides when a query names no policy of its own: a literal, or the name of a shipped one. Default `balanced`. */
  readonly policy?: Policy | PolicyName | undefined
  /** Ranks sources by authority: gives records a tier at `put`, and each result a block for a prompt. One for all openers. Default: none. */
  readonly authority?: AuthorityConfig | undefined
  /** What must be forgotten, and when: kept to after each put and by `retain`. Default: nothing ever is. */
  readonly retention?: RetentionConfig | undefined
  /** ms since the epoch, sent with each request: the engine reads no clock. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /**
   * How vectors are searched. `exact` looks at each; `hnsw` follows a graph, which is made in the background (until then
   * every answer is exact), takes memory and may miss a record: plans then say `complete: false`. `auto` is exact up to
   * 300,000 vectors when the store opens: below, no gain was measured. Scopes and `exact: true` are always exact. Default `auto`. Leave it, unless
   * measurements on your own records say otherwise.
   */
  readonly index?: 'auto' | 'exact' | 'hnsw' | undefined
  /**
   * Which forms of a word are one. `none` for text that is not English. Another one than the store has is applied at opening: the text
   * index is built again. Default: as the store has it, `porter` for a new one.
   */
  readonly stemmer?: 'porter' | 'none' | undefined
  /**
   * Metadata keys that scopes may filter on. Other ones than the store has are applied at opening, to the records that are there too.
   * Default: as the store has them, none for a new one.
   */
  readonly metadataKeys?: readonly string[] | undefined
  /** Whether records that are acknowledged as used together are linked with each other. Default true. */
  readonly autoLink?: boolean | undefined
  /**
   * Counts tokens and redacts texts before they are stored (`redactSecrets` of `scrubjay/core` is one that does): a module with
   * `countTokens(text)` or `redact(text)` that the worker imports, by absolute URL or from the root of the site; `inline` also takes
   * the functions. An embedder of the app's own is called before. The first opener's count. Default: an estimate, no redaction.
   */
  readonly extensions?: string | URL | Extensions | undefined
  /** Told how far opening is, where it has to build the store's rows again for other `stemmer` or `metadataKeys`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** For bundlers, content security policies and CDNs that need a hand. Default: files beside this module. */
  readonly assets?: Assets | undefined
}

export interface Assets {
  /**
   * The engine's worker: where its module `dist/worker/index.js` is served, or a function that starts it. Then no
   * second worker is started, and the built-in embedder runs inside this one.
   */
  readonly worker?: URL | (() => PageWorker) | undefined
  readonly sqliteWasm?: URL | undefined
  /** The SIMD kernel; built into the worker by default. */
  readonly kernel?: URL | undefined
  /** minilm-static-128.bin, the table of the built-in embedder. */
  readonly embedding?: URL | undefined
}
