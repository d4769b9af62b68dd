/** The keys of an open store. */
import type { GivenLock, StoreLock } from '../../src/core/model/lock.ts'
import type { Seal } from '../sqlite/pages/seal.ts'

export interface OpenKeys {
  readonly seal: Seal
  /** The bytes to store: each lock with the data key that it seals. */
  record(): Uint8Array<ArrayBuffer>
  list(): readonly Omit<StoreLock, 'isOwn'>[]
  /** A new lock as a text that can be stored, and its id. */
  wrap(lock: GivenLock): Promise<{ readonly id: string; readonly text: string }>
  /** Keys with one more lock, from `wrap`. Null: it is none, or it has other data keys than the store has now. */
  with(text: string): OpenKeys | null
  /** Keys without this lock. */
  without(id: string): OpenKeys
  /** Whether the store is being encrypted again: two data keys open it, and the newer one encrypts. */
  readonly isRenewing: boolean
  /**
   * The next state of the data keys, for the same locks: with a new one before the present one, or, while `isRenewing`, without the old one. Throws
   * INVALID_CONFIG if a lock cannot take a new key, and STORE_CORRUPT if one was exchanged.
   */
  renew(): Promise<Renewal>
  /** Overwrites the keys in memory. Nothing can be read or written with them from then on. */
  wipe(): void
}

export interface Renewal {
  readonly keys: OpenKeys
  /** To be called when their record is stored: the seal uses them from then on. */
  apply(): void
}

/** The keys of a store that is open, and where it keeps its locks. */
export interface HeldKeys extends OpenKeys {
  /** Replaces the record of the locks. A kill leaves the old one or the new one. */
  save(record: Uint8Array<ArrayBuffer>): void | Promise<void>
}
