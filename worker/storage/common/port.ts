/**
 * Defines a kind of storage. Each kind opens one hardened SQLite connection and says how durable a commit is.
 * `choose-storage.ts` tests each kind by using it (write, read back), says why a kind failed, and never falls back silently [P2].
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { RecallError } from '../../../src/core/model/errors.ts'
import type { Durability } from '../../../src/core/model/receipts.ts'
import type { HeldKeys, OpenKeys } from '../../lock/port.ts'
import type { Unlocking } from './lock-port.ts'
import type { PersistentKind } from '../../../src/protocol/location-note.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'

export interface OpenStorage {
  readonly kind: 'opfs' | 'indexeddb' | 'file' | 'memory' | 'server'
  /** Names the file that is open, as `findAt` of its disk; absent for kinds without a path. */
  identity?(): string | null
  readonly durability: Durability
  /** Of a locked store. */
  readonly keys?: HeldKeys | undefined
  readonly database: SqliteDatabase
  /** One sentence for each degradation; empty if there are none. */
  readonly degraded: readonly string[]
  /**
   * Resolves when every commit so far is as durable as `durability` says; absent if a commit is durable when it returns.
   * If it rejects, all of them were undone: see `onRewind`.
   */
  flush?(): Promise<void>
  /**
   * Erases deleted content from the journal and from every copy. If there is `flush`, it flushes first and can reject in the same way. If
   * only the erasing failed, the commits remain and it can be called again.
   */
  checkpoint(): void | Promise<void>
  /** Whether the journal may still contain content that an earlier owner replaced; absent: no. */
  readonly isUnerased?: boolean
  /** Called before `flush` if its commits replaced text: a `checkpoint` is then due, even if this owner ends before it. */
  mustErase?(): void
  /**
   * Opens a second connection that keeps seeing the current commits while the first one writes. It must be closed before the first one
   * commits. Absent if the kind has none; throws if none can be opened now.
   */
  openReader?(): SqliteDatabase
  /**
   * Called after a commit, before `checkpoint`: returns a limited number of free pages to the platform. Never throws. Absent if only
   * compacting does that.
   */
  reclaimPages?(): void
  /**
   * Sets the one listener that is called when the database went back to its last durable state, before `flush` rejects. Everything
   * derived from the database must then be rebuilt.
   */
  onRewind?(listener: () => void): void
  /**
   * The latest acknowledged revision, stored outside the database: SQLite reads a journal whose end is damaged as if the end never
   * existed. Absent if the journal proves its own end.
   */
  readonly acknowledged?: {
    latest(): number
    note(revision: number): void
    /** The store has this revision when it opens. */
    opened?(revision: number): void
  }
  /** Why the stored bytes are no longer those that were opened: then damage says nothing about the store. Null if they are. Absent: nothing can exchange them. */
  exchanged?(): RecallError | null
  /** Why reads may mix the commits of two owners; null if they do not. Absent: never. */
  taken?(): RecallError | null
  /** Figures for `status()`; null if the platform does not report them. */
  usage(): Promise<{
    readonly persisted: boolean | null
    readonly quotaBytes: number | null
    readonly usageBytes: number | null
  }>
  /** Resolves when every file handle is free. */
  close(): Promise<void>
  /** Closes and removes every stored byte. */
  destroy(): Promise<void>
}

export interface KindOptions {
  /** A store of this name is known to be in this kind; throws DATA_MISSING if it is not. Default false. */
  readonly mustExist?: boolean
  /** Fills a new store before it counts as created. An interrupted fill leaves no store. */
  readonly fill?: (database: SqliteDatabase) => void
  /** Default: the opener gave no lock. */
  readonly lock?: Unlocking | undefined
  /** A new store takes over these keys. Default: new ones, if there is a lock. */
  readonly keys?: OpenKeys | undefined
}

/** SQLite, or its loading. Storage asks the browser for files while SQLite loads. */
export type LoadingSqlite = Sqlite3Static | Promise<Sqlite3Static>

/** Opens a store in one kind of storage. Rejects with a `RecallError` that says why it could not. */
export type StorageKind = (sqlite3: LoadingSqlite, name: string, options?: KindOptions) => Promise<OpenStorage>

/** The remains of a store, opened only for reading. */
export interface DamagedStore {
  readonly kind: PersistentKind | 'file'
  readonly database: SqliteDatabase
  /** Number of acknowledged changes that are missing, given the revision that was read (null: unreadable). Null: unknown. */
  missingChanges(revision: number | null): number | null
  close(): void
}
