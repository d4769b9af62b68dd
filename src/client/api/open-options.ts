/** Options of `openRecall`. All are optional; resolve-options.ts sets the defaults. */
import type { AuthorityConfig } from '../../core/model/authority.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { RetentionConfig } from '../../core/model/retention.ts'
import type { PolicyName } from '../../core/policies/policies.ts'
import type { Embedder } from '../../protocol/embedder.ts'
import type { Progress } from '../../protocol/events.ts'
import type { Extensions } from '../../protocol/extensions.ts'
import type { LockInput } from '../../core/model/lock.ts'
import type { PageWorker } from '../../protocol/platform-types.ts'

export interface OpenOptions {
  /** Name of the database, 1 to 200 characters. Stores with one name on a page share one engine. Default `default`. */
  readonly name?: string | undefined
  /**
   * Keeps the store in this file (Node only). The file is created if it does not exist; its folder must exist. Several processes may open it.
   * While it is open, there are more files next to it whose names begin with its name. `name` and `storage` must be absent. Rejects with
   * `INVALID_CONFIG` in browsers, and with `STORAGE_UNAVAILABLE` on network file systems.
   */
  readonly path?: string | undefined
  /**
   * Locks the store: nothing on the disk can be read without it. It locks a new store; `encryptStore` locks an existing one. A locked store
   * opens only with one of its locks, or rejects with `LOCKED` or `WRONG_KEY`; each tab and process needs it. Anyone who loses all locks of a
   * store loses its records. `idleMs`: ms without a call of any tab after which it locks itself.
   */
  readonly lock?: LockInput | undefined
  /**
   * Uses the store on this server (`scrubjay/server`), an absolute URL. The token names the store. Only `token`, `policy` and `now` may be set
   * with it. Rejects with `STORAGE_UNAVAILABLE` if the server is out of reach, and with `INVALID_CONFIG` if it refuses the token. A lost
   * connection is opened again, and waiting calls continue.
   */
  readonly remote?: string | URL | undefined
  /** The token for `remote`, or a function that gives it each time a connection is opened. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /**
   * Where the store is kept. `auto` (default) uses the most durable kind that works, and `status().degraded` names what is missing. Any other
   * value uses this kind or rejects with `STORAGE_UNAVAILABLE`. Node has only `memory`, and files with `path`.
   */
  readonly storage?: 'auto' | 'opfs' | 'indexeddb' | 'memory' | undefined
  /**
   * Where the engine runs: `worker` is a Web Worker, or in Node a worker thread; `inline` is the thread that opens the store (Node only).
   * Default: `inline` in Node, otherwise `worker`.
   */
  readonly runtime?: 'auto' | 'worker' | 'inline' | undefined
  /** Makes vectors from texts. null: no vectors, recall uses words only. Default: the built-in static embedder, which runs in a worker. */
  readonly embedder?: Embedder | null | undefined
  /**
   * If the embedder fails, answers too late or returns invalid vectors: `store-without` (default) stores the record, so that recall finds it
   * by its words; the receipt says `vectors: 'pending'` and why, and the vectors are made later in the background. `reject`: `put` or `patch`
   * rejects and stores nothing. Queries use only their words in both cases.
   */
  readonly embedderFailure?: 'store-without' | 'reject' | undefined
  /** Policy of queries that name none: a policy object or the name of a built-in one. Default `balanced`. */
  readonly policy?: Policy | PolicyName | undefined
  /**
   * Ranks sources by authority: `put` gives each record a tier, and a result has a block for a prompt, by tier. All openers of a store must
   * set the same.
   */
  readonly authority?: AuthorityConfig | undefined
  /** How long records are kept. Applied after each `put` and by `retain`. Default: for ever. */
  readonly retention?: RetentionConfig | undefined
  /** IANA name of the zone in which days are read (`Europe/Berlin`), for queries that name none. Default: that of the page or process. */
  readonly timeZone?: string | undefined
  /** Clock of all calls: returns ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /**
   * How vectors are searched. `exact` compares all of them. `hnsw` uses a graph, which needs memory and may miss a record (`complete: false`
   * in plans); it is built in the background, and answers are exact until it is ready. `auto` (default) is `exact` up to 300,000 vectors,
   * because `hnsw` was not faster below. Queries with a scope or `exact: true` are always exact.
   */
  readonly index?: 'auto' | 'exact' | 'hnsw' | undefined
  /**
   * How forms of a word are matched: `porter` reduces English words to their stem, `none` does not. Another value than the stored one rebuilds
   * the text index at opening. Default: the stored value; `porter` for a new store.
   */
  readonly stemmer?: 'porter' | 'none' | undefined
  /** Metadata keys that scopes can filter by. Other keys than the stored ones index all records again at opening. Default: the stored keys. */
  readonly metadataKeys?: readonly string[] | undefined
  /**
   * The languages of the records, as BCP 47 primary tags. A search for a word also finds its forms in these languages. A record may name its
   * own `language`. Other languages than the stored ones index all records again at opening. Rejects with `INVALID_CONFIG` for an unknown tag.
   * Default: the stored languages; `['en']` for a new store.
   */
  readonly languages?: readonly string[] | undefined
  /**
   * True keeps the earlier versions of each record that is changed, until it is forgotten: `versions(id)` lists them, and `recall({ asOf })`
   * answers as the store did then. Each change, also an outcome or a link, then stores the record once more. Exports and replication carry no
   * earlier versions. All openers should set the same: writes without it are not kept. Default false.
   */
  readonly history?: boolean | undefined
  /** True: `acknowledge` links records that were used together. Default true. */
  readonly autoLink?: boolean | undefined
  /**
   * Functions that count tokens (`countTokens(text)`) or redact texts before they are stored (`redact(text)`, for example `redactSecrets` of
   * `scrubjay/core`). In a worker: the URL of a module that exports them, absolute or relative to the root of the site. With `inline` also an
   * object. The app's own embedder gets texts before they are redacted. All openers use those of the first. Default: an estimate of tokens,
   * and no redaction.
   */
  readonly extensions?: string | URL | Extensions | undefined
  /**
   * Called with the progress of opening while records are indexed again, and while an embedder makes vectors in the background
   * (`embedder.inBackground`).
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** URLs of the package's files, for bundlers, content security policies and CDNs that need them. Default: the files next to this module. */
  readonly assets?: Assets | undefined
}

export interface Assets {
  /**
   * The engine's worker: the URL of its module `dist/worker/index.js`, or a function that starts it. If it is set, no second worker is
   * started, and the built-in embedder runs in this one.
   */
  readonly worker?: URL | (() => PageWorker) | undefined
  /** URL of sqlite3.wasm. */
  readonly sqliteWasm?: URL | undefined
  /** URL of the SIMD kernel. Default: the kernel in the worker's code. */
  readonly kernel?: URL | undefined
  /** URL of minilm-static-128.bin, the table of the built-in embedder. */
  readonly embedding?: URL | undefined
  /**
   * URL of multi-static-128.bin, the table of other languages: `embeddingLanguages` of the package scrubjay-languages. Loaded only by stores
   * whose `languages` name more than English. Default: the file next to `embedding`; in Node also that of the installed package.
   */
  readonly embeddingLanguages?: URL | undefined
}
