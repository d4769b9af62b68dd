/** Reads what `check-parts.ts` compares: the note in the file, the head of its journal, the saved revision, and a rollback journal. */
import type { Parts } from './check-parts.ts'
import type { Disk, DiskFile } from './disk.ts'
import { type JournalHead, readJournalHead } from './journal-head.ts'
import { decodeNote, noteAt, noteBytes } from './owner-note.ts'
import { readRevision } from './revision-file.ts'

export function readParts(disk: Disk, path: string): Parts {
  const note = reading(disk, path, (file) => {
    const bytes = new Uint8Array(noteBytes)
    return file.read(bytes, noteAt) < noteBytes ? null : decodeNote(bytes)
  })
  return {
    isThere: disk.exists(path),
    isBegun: reading(disk, path, isBegun) === true,
    hasRollback: reading(disk, `${path}-journal`, isRollback) === true,
    note: note === undefined && !disk.exists(path) ? null : note,
    journal: journalAt(disk, `${path}-wal`),
    revision: readRevision(disk, `${path}-revision`),
  }
}

/** Undefined: the journal does not exist; null: it holds no commit. */
export function journalAt(disk: Disk, path: string): JournalHead | null | undefined {
  return reading(disk, path, readJournalHead)
}

/** SQLite takes a rollback journal for one that must be played back if its first byte is not 0 ("File Locking And Concurrency", §4.1). */
function isRollback(file: DiskFile): boolean {
  const first = new Uint8Array(1)
  return file.read(first, 0) === 1 && first[0] !== 0
}

/** Whether the first page has a table: creating it is the only work that has a rollback journal here. */
function isBegun(file: DiskFile): boolean {
  const cells = new Uint8Array(2)
  return file.read(cells, cellsAt) === 2 && (cells[0] !== 0 || cells[1] !== 0)
}

/** In the first page, after the header of the file. */
const cellsAt = 103

function reading<T>(disk: Disk, path: string, read: (file: DiskFile) => T): T | undefined {
  if (!disk.exists(path)) return undefined
  const file = disk.open(path, false)
  try {
    return read(file)
  } finally {
    file.close()
  }
}
