/**
 * Room on a full disk [P3]. Deleting writes: to the journal first, and at times to new pages. So both files are kept longer
 * than they need to be, and what a put leaves untouched is there for deletions. A page that a commit adds has its place in the
 * main file before the commit, so that the journal can be emptied into the file whenever it must.
 */
import type { GuardedFile } from '../../sqlite/pages/checksum-vfs.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { quotaError } from '../common/retry-handles.ts'

export interface Room {
  /**
   * Before a commit that leaves the database with so many pages: makes sure of their place. A commit that deletes may use the room
   * behind them; any other makes sure of that too. Throws QUOTA_EXCEEDED.
   */
  ensure(pages: number, isDeletion: boolean): void
}

/** Pages behind the last one: 512 KiB. */
export const sparePages = 64

/** `journal` null: the room is kept in the main file alone. */
export function holdRoom(main: GuardedFile, journal: GuardedFile | null): Room {
  let pages = main.size() / pageBytes
  main.keep((size) => size + sparePages * pageBytes)
  main.extend(main.size() + sparePages * pageBytes)
  if (journal !== null) {
    journal.keep((size) => Math.max(size, journalRoom(main.size())))
    journal.extend(journalRoom(main.size()))
  }
  return {
    ensure(count, isDeletion) {
      if (count > pages) {
        const least = (isDeletion ? count : count + sparePages) * pageBytes
        const ample = (count + 2 * sparePages) * pageBytes
        const hasPlaces = main.heldBytes() >= least || main.extend(ample) || main.extend(least)
        const hasJournal = isDeletion || journal === null || journal.extend(journalRoom(count * pageBytes))
        if (!hasPlaces || !hasJournal) throw quotaError('no room for new pages')
      }
      pages = count
    },
  }
}

/**
 * Bytes a journal keeps when it is emptied. A transaction writes no page twice, so a journal as long as the database takes any
 * deletion; from 8 MiB on it takes those of ordinary records, one by one if it must.
 */
export function journalRoom(databaseBytes: number): number {
  let bytes = smallestRoom
  while (bytes < databaseBytes && bytes < largestRoom) bytes *= 2
  return bytes - poolHeadBytes
}

const smallestRoom = 1 << 20
const largestRoom = 8 << 20

/** The pool begins each file with a head. Chromium grants room in powers of two: one byte more would be charged twice as much. */
const poolHeadBytes = 4096
