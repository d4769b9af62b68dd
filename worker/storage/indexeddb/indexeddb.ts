/**
 * Storage in IndexedDB, for contexts without OPFS. SQLite runs in memory; its committed pages are kept in a journal and two generations
 * of snapshots. A Web Lock queues the owners; the owner's mark in the database excludes earlier ones.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { sealBytes } from '../../sqlite/pages/seal.ts'
import type { HeldKeys, OpenKeys } from '../../lock/port.ts'
import type { ByteStore } from '../common/byte-store.ts'
import { lockedStore } from '../common/lock-errors.ts'
import type { Unlocking } from '../common/lock-port.ts'
import type { KindOptions, LoadingSqlite, OpenStorage } from '../common/port.ts'
import { handleDeadlineMs } from '../common/retry-handles.ts'
import { writeLocation } from '../common/storage-location.ts'
import { databasePrefix, directoryName, lockKeys, stateKeys } from '../../../src/protocol/store-directory.ts'
import { readUsage } from '../common/usage.ts'
import { clearIdb, openIdbByteStore, peekIdb, removeIdb } from './idb-byte-store.ts'
import { openPagedStorage } from './paged-storage.ts'

/**
 * Opens or creates the store of this name. Rejects with STORAGE_UNAVAILABLE without IndexedDB, STORE_BUSY if another tab has it
 * open for 5 s, STORE_CORRUPT, STORE_NEWER, DATA_MISSING, QUOTA_EXCEEDED, LOCKED or WRONG_KEY.
 */
export async function openIndexedDb(
  sqlite3: LoadingSqlite,
  name: string,
  { mustExist = false, fill, lock, keys: copied }: KindOptions = {},
): Promise<OpenStorage> {
  const free: (() => void | Promise<void>)[] = [await takeLock(name)]
  const release = async () => {
    for (const one of free.splice(0).toReversed()) await one()
  }
  try {
    const opened = await openIdbByteStore(databaseName(name), mustExist, name)
    if (opened === null) throw missing()
    free.push(opened.close)
    const { bytes, keys } = await unlock(opened, name, lock, copied)
    // A copy is not the store yet: `moveStore` saves the location after it verified the copy.
    const note = async () => void (fill ?? (await writeLocation(name, { kind: 'indexeddb' })))
    const paged = await openPagedStorage(await sqlite3, `/${directoryName(name)}`, bytes, {
      afterFirstFlush: note,
      reserved: keys === undefined ? 0 : sealBytes,
    })
    const close = async () => {
      if (free.length === 0) return
      try {
        await paged.close()
      } finally {
        await release()
      }
    }
    try {
      if (mustExist && paged.isNew) throw missing()
      fill?.(paged.database)
      await paged.flush()
    } catch (error) {
      await close()
      throw error
    }
    const { database, flush, checkpoint, openReader, onRewind, mustErase, isUnerased, degraded } = paged
    return {
      keys,
      kind: 'indexeddb',
      durability: 'committed',
      database,
      degraded,
      flush,
      checkpoint,
      openReader,
      onRewind,
      mustErase,
      isUnerased,
      usage: readUsage,
      close,
      destroy: async () => {
        await close()
        await writeLocation(name, { kind: null })
        await removeIndexedDb(name)
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Removes every stored byte of a store that is not open. Rejects with STORE_BUSY if it is open, here or elsewhere. */
export async function removeIndexedDb(name: string): Promise<void> {
  const release = await takeLock(name)
  try {
    const keys = await peekIdb(databaseName(name))
    // The locks go first, so that nothing that remains can be read, and with them what says that there is a store.
    if (keys?.some(isLockKey)) await clearIdb(databaseName(name))
    await removeIdb(databaseName(name))
  } finally {
    release()
  }
}

/** The values as the page log sees them. */
async function unlock(
  store: ByteStore,
  name: string,
  lock?: Unlocking,
  copied?: OpenKeys,
): Promise<{ readonly bytes: ByteStore; readonly keys?: HeldKeys }> {
  const stored = await store.keys()
  if (lock !== undefined)
    return lock.ciphers.unlockBytes(store, stored, { name, keyring: lock.keyring, copied, wasCreated: true })
  const content = stored.filter((key) => !isLockKey(key))
  if (content.length < stored.length) {
    if (content.length > 0) throw lockedStore(name)
    // Of a creation that was interrupted.
    await store.write([], lockKeys)
  }
  return { bytes: { ...store, keys: async () => content } }
}

const isLockKey = (key: string) => lockKeys.includes(key)

/** `made`: a store was flushed here. `begun`: there is a database without an acknowledged write. */
export async function peekIndexedDb(name: string): Promise<'made' | 'begun' | null> {
  if (typeof indexedDB === 'undefined') return null
  const keys = await peekIdb(databaseName(name)).catch(() => null)
  return keys === null ? null : stateKeys.some((key) => keys.includes(key)) ? 'made' : 'begun'
}

/** The name of the store's IndexedDB database. */
export function databaseName(name: string): string {
  return databasePrefix + directoryName(name)
}

/** Waits for the previous owner to end; resolves to the release. Without Web Locks, only the owner's mark protects the store. */
export async function takeLock(name: string): Promise<() => void> {
  if (typeof indexedDB === 'undefined') {
    throw recallError('STORAGE_UNAVAILABLE', 'This context has no IndexedDB', {
      hint: 'Use "memory", or open the store in a browser.',
    })
  }
  const locks = (globalThis.navigator as WorkerNavigator | undefined)?.locks as LockManager | undefined
  if (locks === undefined) return () => undefined
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(handleDeadlineMs)
    const held = locks.request(`scrubjay-indexeddb/${directoryName(name)}`, { signal }, () => {
      return new Promise<void>((release) => resolve(release))
    })
    held.catch(() =>
      reject(
        recallError('STORE_BUSY', 'Another tab or worker has this store open', {
          hint: 'Close it, then try again. Nothing was changed.',
        }),
      ),
    )
  })
}

function missing() {
  return recallError('DATA_MISSING', 'This browser had a store of this name, but its IndexedDB database is gone', {
    hint: 'To begin again under this name, call destroyStore(name), then import the latest export.',
  })
}
