/** What the engine needs of the file with the ciphers, which is only loaded when a store is locked. */
import type { LockInput, StoreLock } from '../../src/core/model/lock.ts'
import type { Seal } from '../sqlite/pages/seal.ts'

export interface LockChunk {
  /** Keys for a new store, with one lock. */
  createKeys(lock: LockInput): Promise<OpenKeys>
  /** Opens the keys of `record`. `wrong`: no lock of it fits; `newer`: another release wrote it in another format; `damaged`: it cannot be read. */
  openKeys(record: Uint8Array, lock: LockInput): Promise<OpenKeys | 'wrong' | 'newer' | 'damaged'>
}

export interface OpenKeys {
  readonly seal: Seal
  /** The bytes to store: each lock with the data key that it seals. */
  record(): Uint8Array<ArrayBuffer>
  list(): readonly StoreLock[]
  /** Keys with one more lock. */
  with(lock: LockInput): Promise<OpenKeys>
  /** Keys without this lock; null if it has no such lock. */
  without(id: string): OpenKeys | null
}
