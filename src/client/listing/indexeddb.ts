/** Finds the stores in IndexedDB, without taking one over from its owner. */
import { recallError } from '../../core/model/errors.ts'
import { databasePrefix, lockKeys, nameInOwner, ownerKey, stateKeys } from '../../protocol/store-directory.ts'
import type { Found, FoundStores } from './found.ts'

/**
 * Null without IndexedDB. `known`: directories to look for where the browser cannot list its databases. Rejects with STORAGE_UNAVAILABLE if
 * a database cannot be read.
 */
export async function findInIndexedDb(known: readonly string[]): Promise<FoundStores> {
  const names = await databaseNames(known)
  if (names === null) return null
  const found = new Map<string, Found>()
  for (const name of names) {
    try {
      const one = await read(name)
      if (one !== null) found.set(name.slice(databasePrefix.length), one)
    } catch (error) {
      throw recallError('STORAGE_UNAVAILABLE', `IndexedDB cannot be read (${String(error)})`, {
        hint: 'Reload the page, then try again. Nothing was changed.',
      })
    }
  }
  return found
}

async function databaseNames(known: readonly string[]): Promise<readonly string[] | null> {
  if (typeof indexedDB === 'undefined') return null
  if (typeof indexedDB.databases !== 'function') return known.map((directory) => databasePrefix + directory)
  try {
    const all = await indexedDB.databases()
    return all.flatMap(({ name }) => (name?.startsWith(databasePrefix) === true ? [name] : []))
  } catch {
    // Sandboxed frames have the interface, and refuse its use.
    return null
  }
}

/** Null if there is no such database. */
async function read(name: string): Promise<Found | null> {
  const database = await open(name)
  if (database === null) return null
  try {
    // A tab that deletes the store must not wait for this connection.
    database.onversionchange = () => database.close()
    const bytes = database.transaction('bytes', 'readonly').objectStore('bytes')
    const name = nameInOwner(await done(bytes.get(ownerKey)))
    const keys = ((await done(bytes.getAllKeys())) as string[]).filter((key) => key !== ownerKey)
    let total = 0
    for (const key of keys) {
      total += lengthInKey(key) ?? lengthOf(await done(bytes.get(key)))
    }
    const has = (some: readonly string[]) => some.some((key) => keys.includes(key))
    const isLocked = has(lockKeys)
    return { isCreated: has(stateKeys), isEmpty: keys.length === 0, isLocked, bytes: total, name }
  } finally {
    database.close()
  }
}

/** Chunks of the two generations have 64 KiB, and the reserve has its length in its key: their values need not be read. */
function lengthInKey(key: string): number | null {
  if (/^[ab]\/\d+$/.test(key)) return 1 << 16
  const reserved = /^reserve\/(\d+)$/.exec(key)?.[1]
  return reserved === undefined ? null : Number(reserved)
}

function lengthOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 0
}

function open(name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    let isMissing = false
    request.onupgradeneeded = () => {
      // Aborting keeps a look-up from creating an empty database.
      isMissing = true
      request.transaction?.abort()
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => (isMissing ? resolve(null) : reject(request.error))
  })
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
