/**
 * Stores files of the package in the browser, so that they are available offline without a service worker. All stores of the origin
 * share one IndexedDB database with one entry per file name. IndexedDB also works in workers, blob workers and extensions, and service
 * workers that clean `caches` do not delete it. Files are checked before use; a failure here only costs a download.
 */
import { sha256HexOfBytes } from '../core/text/hash/sha256.ts'

export interface KnownFile {
  /** Name in the package, which is the key of the entry. */
  readonly name: string
  /** SHA-256 of the bytes, in hex. It differs between versions of the file. */
  readonly sha256: string
}

export interface FileCache {
  /** Resolves to the bytes if they are stored and have the right SHA-256, otherwise to null. Never rejects. */
  read(file: KnownFile): Promise<ArrayBuffer | null>
  /** Stores the bytes and replaces another version. Never rejects: without free space nothing is stored. */
  write(file: KnownFile, bytes: ArrayBuffer): Promise<void>
}

/** Name of the database; SECURITY.md names it, too. */
export const fileCacheName = 'scrubjay-files'

interface Entry {
  readonly sha256: string
  readonly bytes: ArrayBuffer
}

/** Time (ms) after which a database that does not answer is ignored. */
const timeoutMs = 2_000

/** Opens the cache. Returns null if the platform has no IndexedDB. */
export function openFileCache(): FileCache | null {
  if (typeof indexedDB === 'undefined') return null
  return {
    async read({ name, sha256 }) {
      const entry = (await attempt('readonly', (files) => files.get(name))) as Entry | null
      if (entry?.sha256 !== sha256 || !(entry.bytes instanceof ArrayBuffer)) return null
      return (await sha256Of(entry.bytes)) === sha256 ? entry.bytes : null
    },
    async write({ name, sha256 }, bytes) {
      await attempt('readwrite', (files) => files.put({ sha256, bytes } satisfies Entry, name))
    },
  }
}

/** Returns the SHA-256 in hex, computed by the platform if possible. Pages without TLS have no `crypto.subtle`. */
export async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  if (!subtle) return sha256HexOfBytes(new Uint8Array(bytes))
  // In jsdom, bytes and platform may have different realms, which do not accept each other's buffers.
  const buffer = await subtle.digest('SHA-256', bytes).catch(() => null)
  if (buffer === null) return sha256HexOfBytes(new Uint8Array(bytes))
  const digest = new Uint8Array(buffer)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Resolves to the request's result when its transaction is complete; null after a failure or a timeout. */
async function attempt(
  mode: IDBTransactionMode,
  ask: (files: IDBObjectStore) => Pick<IDBRequest<unknown>, 'result'>,
): Promise<unknown> {
  let database: IDBDatabase | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const work = async () => {
    database = await openDatabase()
    return await new Promise<unknown>((resolve, reject) => {
      const transaction = database!.transaction('files', mode)
      const request = ask(transaction.objectStore('files'))
      transaction.oncomplete = () => resolve(request.result ?? null)
      transaction.onabort = transaction.onerror = () => reject(transaction.error)
    })
  }
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  const result = work()
    .catch(() => null)
    .finally(() => database?.close())
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(fileCacheName, 1)
    request.onupgradeneeded = () => void request.result.createObjectStore('files')
    request.onsuccess = () => {
      // Deleting the site's data must not wait for a page that has the database open.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}
