/**
 * Where a store's bytes live. Each kind opens one hardened SQLite connection and says how durable a commit is.
 * The ladder chooses by doing (write, read back), says why, and never falls back in silence (law P2).
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Durability } from '../../src/core/model/result.ts'
import type { SqliteDatabase } from '../store/sqlite-database.ts'

export interface OpenStorage {
  readonly kind: 'opfs' | 'indexeddb' | 'memory'
  readonly durability: Durability
  readonly database: SqliteDatabase
  /** What works less well than it could, in words; empty when nothing. */
  readonly degraded: readonly string[]
  /** Makes deleted content leave the journal too (RELIABILITY §1, Erasure). */
  checkpoint(): void
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

/** One kind of storage: resolves when it could be opened, throws a `RecallError` that says why not. */
export type StorageKind = (sqlite3: Sqlite3Static, name: string) => Promise<OpenStorage>
