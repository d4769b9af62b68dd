/**
 * A byte store in IndexedDB, through idb-keyval. Every write transaction uses strict durability and first checks that this owner's mark
 * is still in the database, so that an earlier owner can write nothing.
 */
import { get, getMany, keys, type UseStore } from 'idb-keyval'
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { formatOwner, ownerKey } from '../../../src/protocol/store-directory.ts'
import { isQuotaFailure, quotaError } from '../common/retry-handles.ts'
import type { ByteStore, Bytes } from '../common/byte-store.ts'

export interface IdbByteStore extends ByteStore {
  /** Resolves when the browser has closed the connection. */
  close(): Promise<void>
}

/**
 * Opens the database and takes it over from any earlier owner. Null if `mustExist` and there is none; then none is created. Rejects with
 * STORAGE_UNAVAILABLE or QUOTA_EXCEEDED if IndexedDB does not keep what is written. `name`: the store's, for the list of stores.
 */
export async function openIdbByteStore(
  databaseName: string,
  mustExist: boolean,
  name: string,
): Promise<IdbByteStore | null> {
  const database = await openDatabase(databaseName, mustExist)
  if (database === null) return null
  try {
    const owner = await takeOver(database, name)
    return {
      ...readable(database),
      write: (puts, removes) => wrapped(() => write(database, owner, puts, removes)),
    }
  } catch (error) {
    await closeDatabase(database)
    throw storageError(error)
  }
}

/** Returns the mark of the new owner. Undefined if the disk is full: then the mark is removed instead, which always works. */
async function takeOver(database: IDBDatabase, name: string): Promise<string | undefined> {
  let owner: string | undefined = formatOwner(crypto.randomUUID(), name)
  try {
    await write(database, null, [[ownerKey, owner]], [])
  } catch (error) {
    // A new store cannot be created on a full disk. Without Web Locks, only the mark distinguishes two owners.
    const isStored = (await keys(reading(database))).some((key) => key !== ownerKey)
    if (!isQuotaFailure(error) || !isStored || (navigator.locks as LockManager | undefined) === undefined) throw error
    owner = undefined
    await write(database, null, [], [ownerKey])
  }
  if ((await get(ownerKey, reading(database))) !== owner) throw new Error('it returned different data than was written')
  return owner
}

/** Opens the database for reads without taking it over. Null if there is none. */
export async function openIdbToRead(databaseName: string): Promise<Omit<IdbByteStore, 'write'> | null> {
  const database = await openDatabase(databaseName, true)
  return database === null ? null : readable(database)
}

/** The keys of a database that another owner may use, without taking it over; null if there is none. */
export async function peekIdb(databaseName: string): Promise<readonly string[] | null> {
  const database = await openDatabase(databaseName, true)
  if (database === null) return null
  try {
    return await keys<string>(reading(database))
  } finally {
    await closeDatabase(database)
  }
}

/** Removes every value in one step, from any owner. */
export async function clearIdb(databaseName: string): Promise<void> {
  const database = await openDatabase(databaseName, true)
  if (database === null) return
  try {
    await wrapped(async () => write(database, null, [], await keys<string>(reading(database))))
  } finally {
    await closeDatabase(database)
  }
}

/** Resolves when the database is deleted. Connections of workers that were just ended may take a moment to close. */
export async function removeIdb(databaseName: string): Promise<void> {
  const request = indexedDB.deleteDatabase(databaseName)
  let timer: ReturnType<typeof setTimeout> | undefined
  await wrapped(
    () =>
      new Promise<void>((resolve, reject) => {
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
        // A tab with a version that has no locks may hold it for as long as that tab is open: the wait has an end.
        request.onblocked = () => {
          timer = setTimeout(() => reject(busy('Another tab has this store open')), blockedMs)
        }
      }),
  ).finally(() => clearTimeout(timer))
}

/** How long an open connection may block the deletion of a database (ms). */
const blockedMs = 10_000

const storeName = 'bytes'

function openDatabase(name: string, mustExist: boolean): Promise<IDBDatabase | null> {
  return wrapped(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open(name, 1)
        let isMissing = false
        request.onupgradeneeded = () => {
          // Aborting keeps a look-up from creating an empty database.
          isMissing = mustExist
          if (isMissing) request.transaction?.abort()
          else request.result.createObjectStore(storeName)
        }
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => (isMissing ? resolve(null) : reject(request.error))
        request.onblocked = () => reject(busy('Another tab has this store open'))
      }),
  )
}

function readable(database: IDBDatabase): Omit<IdbByteStore, 'write'> {
  return {
    keys: () => wrapped(async () => (await keys<string>(reading(database))).filter((key) => key !== ownerKey)),
    read: (wanted) =>
      wrapped(async () =>
        (await getMany<unknown>([...wanted], reading(database))).map((value) =>
          value instanceof Uint8Array ? (value as Bytes) : undefined,
        ),
      ),
    close: () => closeDatabase(database),
  }
}

/**
 * `close()` alone only sends a message. WebKit loses it if the worker ends at that moment, and then the database cannot be deleted until the
 * page is closed. An answer of the browser to a later message shows that it arrived.
 */
async function closeDatabase(database: IDBDatabase): Promise<void> {
  database.close()
  // Firefox before version 126 has no such method, and some contexts refuse it: they are not WebKit.
  await indexedDB.databases?.().catch(() => undefined)
}

function reading(database: IDBDatabase): UseStore {
  return async (_mode, work) => work(database.transaction(storeName, 'readonly').objectStore(storeName))
}

/** One transaction: everything durably, or nothing. `owner` null: takes over from any owner; undefined: the database has no mark. */
function write(
  database: IDBDatabase,
  owner: string | null | undefined,
  puts: readonly (readonly [string, unknown])[],
  removes: readonly string[],
): Promise<void> {
  const strictly: UseStore = async (mode, work) =>
    work(database.transaction(storeName, mode, { durability: 'strict' }).objectStore(storeName))
  return strictly('readwrite', (store) => {
    const { transaction } = store
    let isLost = false
    if (owner !== null) {
      const request = store.get(ownerKey)
      request.onsuccess = () => {
        isLost = request.result !== owner
        if (isLost) transaction.abort()
      }
    }
    for (const [key, value] of puts) store.put(value, key)
    for (const key of removes) store.delete(key)
    return new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      // Rejects here instead of at a request's error, because only an aborted transaction is known to have written nothing.
      transaction.onabort = () => reject(isLost ? busy('Another tab took this store over') : transaction.error)
    })
  })
}

async function wrapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageError(error)
  }
}

function storageError(error: unknown): RecallError {
  if (error instanceof RecallError) return error
  if (isQuotaFailure(error)) return quotaError(error)
  return recallError('STORAGE_UNAVAILABLE', `IndexedDB failed (${String(error)})`, {
    hint: 'Try again. Nothing was written. Some private windows always refuse IndexedDB.',
  })
}

function busy(problem: string): RecallError {
  return recallError('STORE_BUSY', problem, { hint: 'Close the other tab, then open the store again.' })
}
