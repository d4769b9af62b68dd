/**
 * The folder of a store in OPFS: `scrubjay/<name>` with the file `presence` and the folder `pool`.
 * Any string is a legal store name; what the file system would choke on or fold together goes into a hash.
 */
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'

/** Holds every store of the origin. */
export const rootDirectory = 'scrubjay'

/** Inside a store's folder: the files SQLite lives in. Belongs to the pool wholly. */
export const poolDirectory = 'pool'

/** A readable beginning, then 128 bits over the exact UTF-16 code units: no two names share a folder. */
export function directoryName(storeName: string): string {
  const units = Uint16Array.from({ length: storeName.length }, (_, i) => storeName.charCodeAt(i))
  const readable = storeName
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .slice(0, 32)
  return `${readable}.${sha256HexOfBytes(new Uint8Array(units.buffer)).slice(0, 32)}`
}
