/**
 * Presents proven pages as a read-only database file: a read of any other page fails the statement that needs it. SQLite uses it like any
 * mounted file.
 */
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import type { MountedFile } from '../../sqlite/pages/page-vfs.ts'

export interface ProvenPages {
  readonly count: number
  /** By number from 0; null if the page cannot be proven. The bytes are valid until the next call. */
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
      const bytes = page(number)
      if (bytes === null) return null
      const from = offset % pageBytes
      const part = bytes.subarray(from, from + target.length)
      target.set(part)
      if (offset === 0 && part.length > journalAt + 2) target.fill(rollbackJournal, journalAt, journalAt + 2)
      return part.length
    },
    write: refuse,
    truncate: refuse,
  }
}

/** The number of pages according to the first page; 0 if it does not say. */
export function countInHeader(first: Uint8Array | null): number {
  return first === null ? 0 : new DataView(first.buffer, first.byteOffset).getUint32(countAt)
}

function refuse(): never {
  throw new Error('A store that is salvaged takes no writes.')
}

/** Offsets in the file header: the journal mode, because the journal is applied already, and the number of pages. */
const journalAt = 18
const rollbackJournal = 1
const countAt = 28
