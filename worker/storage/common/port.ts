/**
 * Where a store's bytes live. Each kind opens one hardened SQLite connection and says how durable a commit is.
 * The ladder chooses by doing (write, read back), says why, and never falls back in silence [P2].
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Durability } from '../../../src/core/model/result.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'

export interface OpenStorage {
  readonly kind: 'opfs' | 'indexeddb' | 'memory'
  readonly durability: Durability
  readonly database: SqliteDatabase
  /** What works less well than it could, in words; empty when nothing. */
  readonly degraded: readonly string[]
  /**
   * Resolves when every commit so far is as durable as `durability` says; absent where a commit is when it returns.
   * Rejects with all of them undone: see `onRewind`.
   */
  flush?(): Promise<void>
  /**
   * Makes deleted content leave the journal and every copy. Where there is `flush`, it does
   * that first and may reject as it does; when only the erasing failed, the commits stand and it can be asked for again.
   */
  checkpoint(): void | Promise<void>
  /** What an earlier owner replaced may still be in the journal. Absent: no. */
  readonly isUnerased?: boolean
  /** Told before `flush`: what it makes durable replaced text, so that `checkpoint` is due even if this owner does not come to it. */
  mustErase?(): void
  /**
   * A second connection, to read what is committed now: it goes on seeing that while the first one writes. It must be closed before
   * the first one commits. Absent where there can be none; throws where there can be none now.
   */
  openReader?(): SqliteDatabase
  /**
   * After a commit, before `checkpoint`: gives a bounded part of what is free back to the platform. Never throws. Absent where
   * only compacting does.
   */
  giveBack?(): void
  /**
   * Told when the database went back to its last durable state, before `flush` rejects: whatever was derived from it
   * must be derived anew. One listener.
   */
  onRewind?(listener: () => void): void
  /**
   * The latest revision that was acknowledged here, kept beside the database: a journal that lost its end to damage looks to
   * SQLite as if that had never been. Absent where the journal proves its own end.
   */
  readonly acknowledged?: { latest(): number; note(revision: number): void }
  /** Figures for `status()`; null where the platform does not tell. */
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
  /** A store of this name is known to live in this kind: DATA_MISSING when it does not. Default false. */
  readonly mustExist?: boolean
  /** Fills a new store before it counts as made: cut short, there is none. */
  readonly fill?: (database: SqliteDatabase) => void
}

/** SQLite, or its loading: what storage needs the browser for is asked meanwhile. */
export type LoadingSqlite = Sqlite3Static | Promise<Sqlite3Static>

/** One kind of storage: resolves when it could be opened, throws a `RecallError` that says why not. */
export type StorageKind = (sqlite3: LoadingSqlite, name: string, options?: KindOptions) => Promise<OpenStorage>
