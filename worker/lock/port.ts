/** The keys of an open store. */
import type { LockInput, StoreLock } from '../../src/core/model/lock.ts'
import type { Seal } from '../sqlite/pages/seal.ts'

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
