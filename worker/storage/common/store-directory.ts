/**
 * Names the folder of a store in OPFS: `scrubjay/<name>` with the file `presence` and the folder `pool`.
 * Any string is a valid store name. Characters that a file system rejects or treats as equal are replaced; a hash keeps names distinct.
 */
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'

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
