/**
 * Reserves disk space for deletions [P3]. Deleting writes: to the journal first, and sometimes to new pages. So both files are kept
 * longer than they need to be, and only deletions may use the rest. A commit that adds pages extends the main file first, so that
 * the journal can always be emptied into it.
 */
import type { GuardedFile } from '../../sqlite/pages/checksum-vfs.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { quotaError } from '../common/retry-handles.ts'

export interface Room {
  /**
   * Called before a commit after which the database has `pages` pages: makes sure that they fit. A deletion may use the reserved space;
   * any other commit must leave it. Throws QUOTA_EXCEEDED.
   */
  ensure(pages: number, isDeletion: boolean): void
}

/** Reserved pages after the last one: 512 KiB. */
export const sparePages = 64

/** `journal` null: only the main file has reserved space. */
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
 * Bytes that the journal keeps when it is emptied. A transaction writes each page at most once, so a journal as long as the database
 * fits any deletion. From 8 MiB on, it fits deletions of ordinary records, one by one if necessary.
 */
export function journalRoom(databaseBytes: number): number {
  let bytes = smallestRoom
  while (bytes < databaseBytes && bytes < largestRoom) bytes *= 2
  return bytes - poolHeadBytes
}

const smallestRoom = 1 << 20
const largestRoom = 8 << 20

/** The pool starts each file with a header. Chromium grants space in powers of two, so one more byte would count double. */
const poolHeadBytes = 4096
