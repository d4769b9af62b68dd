/**
 * A byte store in IndexedDB, through idb-keyval: every writing transaction asks for strict durability and first makes
 * sure that the database is still this owner's, so that one who lost it can write nothing.
 */
import { get, getMany, keys, type UseStore } from 'idb-keyval'
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { isQuotaFailure, quotaError } from '../common/retry-handles.ts'
import type { ByteStore, Bytes } from './byte-store.ts'

export interface IdbByteStore extends ByteStore {
  /** Ends the connection. */
  close(): void
}

/**
 * Opens the database and takes it over from any earlier owner. Null when `mustExist` and there is none; then none is
 * made. Rejects with STORAGE_UNAVAILABLE or QUOTA_EXCEEDED where IndexedDB does not really keep what is written.
 */
export async function openIdbByteStore(databaseName: string, mustExist: boolean): Promise<IdbByteStore | null> {
  const database = await openDatabase(databaseName, mustExist)
  if (database === null) return null
  try {
    const owner = await takeOver(database)
    return {
      ...readable(database),
      write: (puts, removes) => wrapped(() => write(database, owner, puts, removes)),
    }
  } catch (error) {
    database.close()
    throw storageError(error)
  }
}

/** The mark of the new owner. Undefined: the disk is full, and ours is that there is none, since removing is always allowed. */
async function takeOver(database: IDBDatabase): Promise<string | undefined> {
  let owner: string | undefined = crypto.randomUUID()
  try {
    await write(database, null, [[ownerKey, owner]], [])
  } catch (error) {
    // A store that is not there yet cannot be made; and without locks the mark is all that tells two owners apart.
    const isStored = (await keys(reading(database))).some((key) => key !== ownerKey)
    if (!isQuotaFailure(error) || !isStored || (navigator.locks as LockManager | undefined) === undefined) throw error
    owner = undefined
    await write(database, null, [], [ownerKey])
  }
  if ((await get(ownerKey, reading(database))) !== owner) throw new Error('it returns other data than was written')
  return owner
}

/** The same without taking it over, and without a way to write. Null when there is none. */
export async function openIdbToRead(databaseName: string): Promise<Omit<IdbByteStore, 'write'> | null> {
  const database = await openDatabase(databaseName, true)
  return database === null ? null : readable(database)
}

/** The keys of a database that may be somebody else's at the moment; null when there is none. Takes nothing over. */
export async function peekIdb(databaseName: string): Promise<readonly string[] | null> {
  const database = await openDatabase(databaseName, true)
  if (database === null) return null
  try {
    return await keys<string>(reading(database))
  } finally {
    database.close()
  }
}

/** Resolves when no byte of the database is left. */
export async function removeIdb(databaseName: string): Promise<void> {
  const request = indexedDB.deleteDatabase(databaseName)
  await wrapped(
    () =>
      new Promise<void>((resolve, reject) => {
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
        // Another tab has it open, of a version that knows no lock: it would wait for as long as that tab lives.
        request.onblocked = () => reject(busy('Another tab has this store open'))
      }),
  )
}

const storeName = 'bytes'
const ownerKey = 'owner'

function openDatabase(name: string, mustExist: boolean): Promise<IDBDatabase | null> {
  return wrapped(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open(name, 1)
        let isMissing = false
        request.onupgradeneeded = () => {
          // Aborted, the database is not made: looking for a store must not make an empty one.
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
    close: () => database.close(),
  }
}

function reading(database: IDBDatabase): UseStore {
  return async (_mode, work) => work(database.transaction(storeName, 'readonly').objectStore(storeName))
}

/** One transaction: everything, on disk, or nothing. `owner` null: whoever owned it, from now on we do; undefined: there is no mark. */
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
      const asked = store.get(ownerKey)
      asked.onsuccess = () => {
        isLost = asked.result !== owner
        if (isLost) transaction.abort()
      }
    }
    for (const [key, value] of puts) store.put(value, key)
    for (const key of removes) store.delete(key)
    return new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      // Not at the first request's error: only an aborted transaction is known to have left nothing.
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
