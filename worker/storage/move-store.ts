/**
 * Moves a store from one kind of storage to another: copy, verify, save the location, delete. If it is interrupted, the store is
 * complete in the kind that is saved as its location, and the next opening removes the rest from the other kind.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { PersistentKind } from '../../src/protocol/location-note.ts'
import { first } from '../sqlite/database.ts'
import { reservedAt } from '../sqlite/pages/page-format.ts'
import { pageBytes } from '../sqlite/pages/page-file.ts'
import { copyDatabase } from '../sqlite/copy-database.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import type { Unlocking } from './common/lock-port.ts'
import type { LoadingSqlite, OpenStorage, StorageKind } from './common/port.ts'
import { writeLocation } from './common/storage-location.ts'
import { openIndexedDb, removeIndexedDb } from './indexeddb/indexeddb.ts'
import { openOpfs, removeOpfs } from './opfs/opfs.ts'

export const durableKinds: Readonly<Record<PersistentKind, StorageKind>> = { opfs: openOpfs, indexeddb: openIndexedDb }

const removeFrom: Readonly<Record<PersistentKind, (name: string) => Promise<void>>> = {
  opfs: removeOpfs,
  indexeddb: removeIndexedDb,
}

/** Resolves to the store, open in the new kind. If it rejects, the store is closed and complete where it was. */
export async function moveStore(
  sqlite3: LoadingSqlite,
  name: string,
  from: PersistentKind,
  to: PersistentKind,
  lock?: Unlocking,
): Promise<OpenStorage> {
  const source = await durableKinds[from](sqlite3, name, { mustExist: true, lock })
  let target: OpenStorage | undefined
  try {
    // The old location is saved first: what is created from here on is a copy until the location changes.
    if (!(await writeLocation(name, { kind: from, leftover: to }))) throw cannotSaveLocation()
    await removeFrom[to](name)
    const copy = await durableKinds[to](sqlite3, name, {
      fill: (database) => copyDatabase(source.database, database, notCopied),
      lock,
      keys: source.keys,
    })
    await copy.close()
    // Opened again, so that the comparison reads what is on disk.
    target = await durableKinds[to](sqlite3, name, { mustExist: true, lock })
    verifyCopy(source.database, target.database)
    // From here on the new kind is its location. If that cannot be saved, the original must remain.
    if (!(await writeLocation(name, { kind: to, leftover: from }))) throw cannotSaveLocation()
  } catch (error) {
    await target?.close()
    await source.close()
    throw error
  }
  await source.close()
  return removeLeftover(target, name, to, from)
}

/** Removes an unfinished copy, or the original after a move: it may contain records that are forgotten here. */
export async function removeLeftover(
  opened: OpenStorage,
  name: string,
  kind: PersistentKind,
  leftover: PersistentKind,
): Promise<OpenStorage> {
  try {
    await removeFrom[leftover](name)
    await writeLocation(name, { kind })
    return opened
  } catch (error) {
    const problem = `An old copy in ${leftover} could not be removed: ${String(error)}`
    return { ...opened, degraded: [problem, ...opened.degraded] }
  }
}

/** Compares page by page, except for header fields of the journal mode and change counters, and for checksums. */
function verifyCopy(source: SqliteDatabase, target: SqliteDatabase): void {
  const count = (database: SqliteDatabase) => first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  for (const database of [source, target]) database.boundWork()
  const pages = count(source)
  const content = pageBytes - reservedOf(source)
  if (pages !== count(target)) throw notCopied('the copy has another size')
  for (let number = 1; number <= pages; number++) {
    const [left, right] = [source, target].map((database) =>
      first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = ?', [number], (row) => row.bytes(0)),
    )
    if (left === undefined || right === undefined) throw notCopied(`page ${number} cannot be read`)
    const isSame = left.every((byte, i) => byte === right[i] || i >= content || (number === 1 && isOwnToFile(i)))
    if (!isSame || left.length !== right.length) throw notCopied(`page ${number} of the copy differs`)
  }
  const integrity = first(target, 'PRAGMA integrity_check', [], (row) => row.text(0))
  if (integrity !== 'ok') throw notCopied(`the copy is not sound: ${integrity}`)
}

/** Reserved bytes at the end of each page. */
function reservedOf(database: SqliteDatabase): number {
  return first(database, 'SELECT data FROM sqlite_dbpage WHERE pgno = 1', [], (row) => row.bytes(0))?.[reservedAt] ?? 0
}

/** Header fields that differ between files: journal versions, change counter, schema cookie, version-valid-for, SQLite's version. */
function isOwnToFile(offset: number): boolean {
  return ownToFile.some(([from, to]) => offset >= from && offset < to)
}

const ownToFile = [
  [18, 20],
  [24, 28],
  [40, 44],
  [92, 100],
] as const

function notCopied(problem: string) {
  return recallError('STORAGE_UNAVAILABLE', `The store could not be moved: ${problem}`, {
    hint: 'Open the store with the kind of storage that it is in. It is unchanged there.',
  })
}

function cannotSaveLocation() {
  return notCopied('Cache Storage is missing, where its new location must be saved')
}
