/** Copies of whole stores: made in memory with other pages, and compared with what was written. */
import { recallError } from '../../src/core/model/errors.ts'
import { copyDatabase } from '../sqlite/copy-database.ts'
import { first } from '../sqlite/database.ts'
import { reserveSeals } from '../sqlite/pages/checksum-vfs.ts'
import { pageBytes } from '../sqlite/pages/page-file.ts'
import { formatOf, type PageFormat } from '../sqlite/pages/page-format.ts'
import { sealBytes } from '../sqlite/pages/seal.ts'
import { zeroUnallocated } from '../sqlite/pages/unallocated-space.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { vacuum } from '../sqlite/vacuum.ts'
import type { LoadingSqlite, OpenStorage } from './common/port.ts'
import { openMemory } from './memory.ts'

/** A copy with room in each page for what a locked store adds to it. SQLite never makes this room smaller. Throws QUOTA_EXCEEDED beyond 1 GiB. */
export async function copyWithRoom(sqlite3: LoadingSqlite, source: SqliteDatabase): Promise<OpenStorage> {
  const copy = await openMemory(sqlite3, '')
  try {
    const { database } = copy
    copyDatabase(source, database, notCopied)
    reserveSeals(await sqlite3, database.pointer, sealBytes)
    vacuum(database)
    return copy
  } catch (error) {
    await copy.close()
    throw error
  }
}

/** Compares page by page, except for header fields of the journal mode and change counters, and for checksums. */
export function verifyCopy(source: SqliteDatabase, target: SqliteDatabase): void {
  const count = (database: SqliteDatabase) => first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  for (const database of [source, target]) database.boundWork()
  const pages = count(source)
  const format = formatIn(source)
  const content = pageBytes - format.reserved
  if (pages !== count(target)) throw notCopied('the copy has another size')
  for (let number = 1; number <= pages; number++) {
    const [left, right] = [source, target].map((database) =>
      first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = ?', [number], (row) => row.bytes(0)),
    )
    if (left === undefined || right === undefined) throw notCopied(`page ${number} cannot be read`)
    // A file must hold zeros there; a database in memory has what was there before.
    zeroUnallocated(left, number - 1, format)
    const isSame = left.every((byte, i) => byte === right[i] || i >= content || (number === 1 && isOwnToFile(i)))
    if (!isSame || left.length !== right.length) throw notCopied(`page ${number} of the copy differs`)
  }
  const integrity = first(target, 'PRAGMA integrity_check', [], (row) => row.text(0))
  if (integrity !== 'ok') throw notCopied(`the copy is not sound: ${integrity}`)
}

function formatIn(database: SqliteDatabase): PageFormat {
  return formatOf(first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = 1', [], (row) => row.bytes(0))!)
}

/** Header fields that differ between files: journal versions, change counter, schema cookie, the owner's note, version-valid-for, SQLite's version. */
function isOwnToFile(offset: number): boolean {
  return ownToFile.some(([from, to]) => offset >= from && offset < to)
}

const ownToFile = [
  [18, 20],
  [24, 28],
  [40, 44],
  [72, 100],
] as const

export function notCopied(problem: string) {
  return recallError('STORAGE_UNAVAILABLE', `The store could not be copied: ${problem}`, {
    hint: 'The store is unchanged. Try again; if that fails, too, export it and import it into a new one.',
  })
}
