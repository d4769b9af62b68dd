/**
 * A byte store in memory that passes the contract of the real one, and can be made to fail: the n-th write rejects, or
 * the process "dies" at it, so that nothing is written or answered from there on. `copy` is what a reopening would
 * find.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { ByteStore, Bytes } from '../../../worker/storage/common/byte-store.ts'

export interface MemoryByteStore extends ByteStore {
  readonly values: Map<string, Bytes>
  /** Writes so far, failed ones included. */
  writes(): number
  /** The write with this number (from 1 on) rejects; `forever`: all later ones, too. */
  failAt(write: number, code?: 'QUOTA_EXCEEDED' | 'STORAGE_UNAVAILABLE', forever?: boolean): void
  /**
   * From the write with this number on nothing is written and nothing answers. `isWritten`: that one is still carried
   * out.
   */
  dieAt(write: number, isWritten: boolean): void
  hasDied(): boolean
  /**
   * From here on a quota, as browsers apply it: a write is refused when its values exceed the rest; a removal never
   * is.
   */
  limit(bytes: number): void
  /** Of all values. */
  bytes(): number
  copy(): MemoryByteStore
}

export function createMemoryByteStore(initial: Iterable<readonly [string, Bytes]> = []): MemoryByteStore {
  const values = new Map([...initial].map(([key, value]) => [key, value.slice()] as const))
  let count = 0
  let failing: { from: number; to: number; code: 'QUOTA_EXCEEDED' | 'STORAGE_UNAVAILABLE' } | null = null
  let dying: { at: number; isWritten: boolean } | null = null
  let quota = Number.POSITIVE_INFINITY
  const bytes = () => [...values.values()].reduce((sum, { length }) => sum + length, 0)
  return {
    values,
    keys: async () => [...values.keys()],
    read: async (keys) => keys.map((key) => values.get(key)?.slice()),
    async write(puts, removes) {
      count += 1
      const isDead = dying !== null && count >= dying.at
      if (failing !== null && count >= failing.from && count <= failing.to) {
        throw recallError(failing.code, 'the disk of the test is full')
      }
      const added = puts.reduce((sum, [, { length }]) => sum + length, 0)
      if (added > 0 && bytes() + added > quota) throw recallError('QUOTA_EXCEEDED', 'the disk of the test is full')
      if (!isDead || (count === dying?.at && dying.isWritten)) {
        for (const [key, value] of puts) values.set(key, value.slice())
        for (const key of removes) values.delete(key)
      }
      if (isDead) await new Promise(() => undefined)
    },
    writes: () => count,
    failAt(write, code = 'QUOTA_EXCEEDED', forever = false) {
      failing = { from: write, to: forever ? Number.POSITIVE_INFINITY : write, code }
    },
    dieAt(at, isWritten) {
      dying = { at, isWritten }
    },
    limit(most) {
      quota = most
    },
    bytes,
    hasDied: () => dying !== null && count >= dying.at,
    copy: () => createMemoryByteStore(values),
  }
}
