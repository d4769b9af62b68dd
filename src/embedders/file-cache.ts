/**
 * Keeps a file of the package in the browser, so that it is there offline without a service worker that caches it. One entry
 * a file name, in an IndexedDB database that every store of the origin shares: IndexedDB is there in workers, blob workers and extensions,
 * and no service worker that tidies `caches` removes it. What is read is checked before it is used; what fails here costs a
 * download and nothing else.
 */
import { sha256HexOfBytes } from '../core/text/hash/sha256.ts'

export interface KnownFile {
  /** Its name in the package, which is the key. */
  readonly name: string
  /** SHA-256 of its bytes, in hex: another version is another file. */
  readonly sha256: string
}

export interface FileCache {
  /** The bytes, if they are kept and as they must be; null otherwise. Never rejects. */
  read(file: KnownFile): Promise<ArrayBuffer | null>
  /** Keeps the bytes in the place of any other version. Never rejects: without room, nothing is kept. */
  write(file: KnownFile, bytes: ArrayBuffer): Promise<void>
}

/** The database; SECURITY.md names it. */
export const fileCacheName = 'scrubjay-files'

interface Entry {
  readonly sha256: string
  readonly bytes: ArrayBuffer
}

/** ms after which a database that does not answer counts as none. */
const patienceMs = 2_000

/** Null where nothing can be kept. */
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

/** SHA-256 in hex; by the platform where it has one, which is not so on pages without TLS. */
export async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  if (!subtle) return sha256HexOfBytes(new Uint8Array(bytes))
  // Under jsdom bytes and platform may be of two realms, which do not know each other's buffers.
  const found = await subtle.digest('SHA-256', bytes).catch(() => null)
  if (found === null) return sha256HexOfBytes(new Uint8Array(bytes))
  const digest = new Uint8Array(found)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What the request answers when its transaction is complete; null when anything fails, or nothing answers in time. */
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
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs)
  })
  const worked = work()
    .catch(() => null)
    .finally(() => database?.close())
  return Promise.race([worked, silence]).finally(() => clearTimeout(timer))
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(fileCacheName, 1)
    request.onupgradeneeded = () => void request.result.createObjectStore('files')
    request.onsuccess = () => {
      // Whoever deletes the site's data must not wait for a page that has it open.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}
