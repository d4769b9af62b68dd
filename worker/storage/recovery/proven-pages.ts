/**
 * A database file to read what is left of it: pages that are proven come out, others fail at the statement that needs them,
 * and nothing is ever written. SQLite runs over it as over any mounted file.
 */
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import type { MountedFile } from '../../sqlite/pages/page-vfs.ts'

export interface ProvenPages {
  readonly count: number
  /** By number from 0; null: what is stored there cannot be proven. The bytes are good until the next call. */
  page(number: number): Uint8Array | null
}

export function fileOfProven({ count, page }: ProvenPages): MountedFile {
  return {
    size: () => count * pageBytes,
    read(target, offset) {
      const number = Math.floor(offset / pageBytes)
      if (number >= count) {
        target.fill(0)
        return 0
      }
      const found = page(number)
      if (found === null) return null
      const from = offset % pageBytes
      const part = found.subarray(from, from + target.length)
      target.set(part)
      if (offset === 0 && part.length > journalAt + 2) target.fill(rollbackJournal, journalAt, journalAt + 2)
      return part.length
    },
    write: refuse,
    truncate: refuse,
  }
}

/** How many pages a file has by its first one. 0 where that says nothing. */
export function countInHeader(first: Uint8Array | null): number {
  return first === null ? 0 : new DataView(first.buffer, first.byteOffset).getUint32(countAt)
}

function refuse(): never {
  throw new Error('A store that is salvaged takes no writes.')
}

/** In the header of a file: its journal, which is applied already, and its size in pages. */
const journalAt = 18
const rollbackJournal = 1
const countAt = 28
