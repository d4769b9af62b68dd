/** The write-ahead log of a store in files: its pragmas, and how it is emptied. */
import { recallError } from '../../../src/core/model/errors.ts'
import { first } from '../../sqlite/database.ts'
import { cacheSizePragma, hardenedPragmas, type Pragma } from '../../sqlite/pragmas.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'

/** First: without shared memory, SQLite can use a WAL only if the lock is already exclusive. */
export const exclusivePragma: Pragma = { name: 'locking_mode', set: 'EXCLUSIVE', reads: 'exclusive' }

export const walPragmas: readonly Pragma[] = [
  { name: 'journal_mode', set: 'WAL', reads: 'wal' },
  { name: 'synchronous', set: 'FULL', reads: '2' },
  // WAL pages (8 MB) after which a commit also copies them to the database.
  { name: 'wal_autocheckpoint', set: '1000', reads: '1000' },
  cacheSizePragma,
  ...hardenedPragmas,
]

/** Copies all commits to the database and truncates the journal. */
export function checkpoint(database: SqliteDatabase): void {
  const busy = first(database, `PRAGMA wal_checkpoint(TRUNCATE)`, [], (row) => row.number(0))
  if (busy !== 0) {
    throw recallError('STORE_BUSY', 'The journal could not be emptied while a read is running', {
      hint: 'Try again later.',
    })
  }
  // Cached pages still have the old contents of unallocated space, and would write it to the next journal.
  database.execute('PRAGMA shrink_memory')
}

/** Whether an earlier owner left changes in the journal because it was killed. */
export function hadJournal(database: SqliteDatabase): boolean {
  // NOOP writes nothing.
  return (first(database, `PRAGMA wal_checkpoint(NOOP)`, [], (row) => row.number(1)) ?? 0) > 0
}

/** Returns whether it worked; then the journal's space is free again, except its reserve. */
export function tryEmptyJournal(database: SqliteDatabase): boolean {
  try {
    checkpoint(database)
    return true
  } catch {
    return false
  }
}
