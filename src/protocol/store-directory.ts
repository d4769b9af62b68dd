/**
 * Names the folder of a store in OPFS: `scrubjay/<name>` with the files `presence` and, if it is locked, `locks`, and the folder `pool`.
 * Any string is a valid store name. Characters that a file system rejects or treats as equal are replaced; a hash keeps names distinct.
 */
import { sha256HexOfBytes } from '../core/text/hash/sha256.ts'

/** Contains every store of the origin. */
export const rootDirectory = 'scrubjay'

/** Inside a store's folder: the folder of SQLite's files. Only the pool VFS writes there. */
export const poolDirectory = 'pool'

/** A readable start of the name, then 128 bits of a hash of its UTF-16 code units, so that no two names share a folder. */
export function directoryName(storeName: string): string {
  const units = Uint16Array.from({ length: storeName.length }, (_, i) => storeName.charCodeAt(i))
  const readable = storeName
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .slice(0, 32)
  return `${readable}.${sha256HexOfBytes(new Uint8Array(units.buffer)).slice(0, 32)}`
}

/** The name of the store's database in IndexedDB begins so; the name of its folder follows. */
export const databasePrefix = 'scrubjay/'

/** The key of the mark of the database's owner. */
export const ownerKey = 'owner'

/** The mark: random text, and the store's name as JSON, because it may contain any code unit. */
export function formatOwner(random: string, name: string): string {
  return `${random} ${JSON.stringify(name)}`
}

/** The name in an owner's mark; undefined in those of releases that did not save it. */
export function nameInOwner(mark: unknown): string | undefined {
  return typeof mark === 'string' ? parseName(mark.slice(mark.indexOf(' ') + 1)) : undefined
}

/** A name that was saved as JSON. */
export function parseName(json: string): string | undefined {
  try {
    const name: unknown = JSON.parse(json)
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** The file of a store's folder in OPFS whose first byte says whether a store was created there. */
export const lockFileName = 'presence'
/** That first byte, if a store was created. */
export const createdMark = 1

/** The file of a store's folder in OPFS with its locks. Only locked stores have one. */
export const keyFileName = 'locks'

/** Keys of the two copies of a store's locks in IndexedDB. Only locked stores have them. */
export const lockKeys: readonly string[] = ['locks/1', 'locks/2']

/** Keys of the state in the page log of IndexedDB. If one of them is there, a store was created. */
export const stateKeys: readonly string[] = ['state/1', 'state/2']
