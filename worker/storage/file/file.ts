/**
 * Storage in one file of a file system: the database, with its write-ahead log next to it while it is open. Pages have checksums and no
 * remains of deleted text, as in OPFS. The caller keeps other owners out; the fence finds out if it could not [R10].
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { guardJournalOf, guardPagesOf, reserveSeals } from '../../sqlite/pages/checksum-vfs.ts'
import type { HeldKeys } from '../../lock/port.ts'
import { type Seal, sealBytes } from '../../sqlite/pages/seal.ts'
import { applyPragmas, pageSizePragma } from '../../sqlite/pragmas.ts'
import { openSqliteDatabase, type SqliteDatabase, typedMemoryError } from '../../sqlite/sqlite-database.ts'
import { makeShrinkable, reclaimPages } from '../common/incremental-vacuum.ts'
import { openSnapshot } from '../common/open-snapshot.ts'
import type { LoadingSqlite, OpenStorage } from '../common/port.ts'
import { checkpoint, exclusivePragma, hadJournal, tryEmptyJournal, walPragmas } from '../common/wal.ts'
import type { Disk } from './disk.ts'
import { type Fence, fenceOn } from './fence.ts'
import { fileVfsName, type Mount, mountFile } from './file-vfs.ts'
import { type Reserve, reserveOn } from './reserve.ts'

export interface FileOptions {
  /** Sentences for `degraded`. Default: none. */
  readonly degraded?: readonly string[]
  /** Of a locked store: seals its pages and its journal. */
  readonly keys?: HeldKeys | null | undefined
}

/**
 * Opens or creates the database in the file at `path`. Rejects with STORE_CORRUPT, QUOTA_EXCEEDED or STORAGE_UNAVAILABLE. `check-header.ts`
 * must have accepted an existing file before.
 */
export async function openFile(
  sqlite3: LoadingSqlite,
  disk: Disk,
  path: string,
  { degraded = [], keys }: FileOptions = {},
): Promise<OpenStorage> {
  const seal = keys?.seal
  const loaded = await sqlite3
  const reserve = reserveOn(disk, path)
  const fence = openFence(reserve.disk, path)
  const mount = mountFile(loaded, fence.disk, path)
  let database: SqliteDatabase
  try {
    database = openDatabase(loaded, mount, reserve, fence, seal)
  } catch (error) {
    const cause = fence.exchanged()
    fence.close()
    mount.end()
    throw cause ?? typedMemoryError(loaded, error)
  }
  let isOpen = true

  const close = async () => {
    if (!isOpen) return
    isOpen = false
    const isEmptied = !fence.holdsJournal() || tryEmptyJournal(database)
    let isAlone = false
    try {
      if (isEmptied) isAlone = fence.release()
      else failIfExchanged(fence)
    } finally {
      try {
        database.close()
      } finally {
        fence.close()
        mount.end()
      }
    }
    // SQLite keeps the journal's file. Without commits it is not needed, and neither is the revision at which it ends.
    if (isAlone) tryRemove(disk, path)
  }

  return {
    identity: fence.identity,
    keys: keys ?? undefined,
    isUnerased: hadJournal(database),
    kind: 'file',
    durability: 'committed',
    database,
    get degraded() {
      return [...degraded, ...fence.problems()]
    },
    checkpoint() {
      try {
        emptyJournal(database, fence)
      } catch (error) {
        if (!isFull(error)) throw error
        reserve.release()
        emptyJournal(database, fence)
      }
      fence.check()
      reserve.hold()
    },
    openReader: () => openReader(database, mount, fence, seal),
    reclaimPages: () => reclaimPages(database),
    acknowledged: fence.acknowledged,
    exchanged: fence.exchanged,
    taken: fence.taken,
    usage: async () => ({ persisted: true, quotaBytes: null, usageBytes: sizeOf(disk, path) }),
    close,
    destroy: async () => {
      // Another file of the name stays.
      fence.check()
      await close()
      removeStore(disk, path)
    },
  }
}

function openFence(disk: Disk, path: string): Fence {
  try {
    return fenceOn(disk, path)
  } catch (error) {
    throw explainFailure(error)
  }
}

/** A disk that fails keeps the journal, which the next owner reads. */
function failIfExchanged(fence: Fence): void {
  try {
    fence.check()
  } catch (error) {
    if (error instanceof RecallError) throw error
  }
}

/** An empty journal stays as it is: SQLite numbers the first one at random only if none was emptied before, and the owner's note relies on that. */
function emptyJournal(database: SqliteDatabase, fence: Fence): void {
  if (fence.holdsJournal()) checkpoint(database)
}

function openDatabase(
  sqlite3: Sqlite3Static,
  mount: Mount,
  reserve: Reserve,
  fence: Fence,
  seal?: Seal,
): SqliteDatabase {
  let wasFull = false
  const database = openSqliteDatabase(sqlite3, {
    filename: mount.name,
    vfs: fileVfsName,
    explainFailure(code) {
      const error = explain(code, mount)
      wasFull ||= isFull(error)
      return error
    },
    room: {
      ensure(pages, isDeletion) {
        try {
          reserve.ensure(pages, isDeletion)
        } catch (error) {
          const explained = explainFailure(error)
          wasFull ||= isFull(explained)
          throw explained
        }
      },
      regain(isDeletion) {
        if (!wasFull) return false
        wasFull = false
        const tryEmpty = () => !fence.holdsJournal() || tryEmptyJournal(database)
        const isEmptied = tryEmpty()
        if (!isDeletion) return isEmptied
        reserve.release()
        return isEmptied || tryEmpty()
      },
    },
  })
  try {
    guardPagesOf(sqlite3, database.pointer, seal)
    applyPragmas(database, [pageSizePragma])
    // Setting the page size resets the reserved bytes. Choosing the journal mode writes the first page.
    reserveSeals(sqlite3, database.pointer, seal && sealBytes)
    applyPragmas(database, [exclusivePragma])
    makeShrinkable(database)
    applyPragmas(database, walPragmas)
    // SQLite opens the journal with the first read. Its writes are combined from then on.
    database.execute('SELECT count(*) FROM sqlite_schema')
    const journal = guardJournalOf(sqlite3, database.pointer)
    // A journal that opened later would not be encrypted.
    if (seal !== undefined && journal === null) throw new Error('SQLite did not open the journal.')
    reserve.hold()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Reads only the database file: after a checkpoint it has all commits, and later writes stay out of it until they are committed. */
function openReader(writer: SqliteDatabase, mount: Mount, fence: Fence, seal?: Seal): SqliteDatabase {
  emptyJournal(writer, fence)
  const { sqlite3 } = writer
  const explainFailure = (code: number) => explain(code, mount)
  return openSnapshot(sqlite3, { filename: mount.name, vfs: fileVfsName, explainFailure }, ({ pointer }) => {
    guardPagesOf(sqlite3, pointer, seal)
    // It reads no journal.
    guardJournalOf(sqlite3, pointer)
  })
}

function isFull(error: unknown): boolean {
  return (error as RecallError | null)?.code === 'QUOTA_EXCEEDED'
}

/** SQLite reports every failure of the disk as an I/O error; the disk's own error has the cause. */
function explain(code: number, mount: Mount): RecallError | null {
  const failure = mount.takeFailure()
  return failure === undefined || code === damagedPage || ![ioError, cannotOpen].includes(code & 0xff)
    ? null
    : explainFailure(failure)
}

/** SQLITE_IOERR, SQLITE_CANTOPEN, and SQLITE_IOERR_DATA, which the page checksums return. */
const ioError = 10
const cannotOpen = 14
const damagedPage = 8202

/** The error for a failed call of the disk: QUOTA_EXCEEDED or STORAGE_UNAVAILABLE. An error of the fence is explained already. */
export function explainFailure(failure: unknown): RecallError {
  if (failure instanceof RecallError) return failure
  const { code, name } = failure as { readonly code?: unknown; readonly name?: unknown }
  if (fullDisk.has(code) || name === 'QuotaExceededError') {
    return recallError('QUOTA_EXCEEDED', `The disk is full (${String(failure)})`, {
      hint: 'Free space on the disk, or forget records, then try again. The stored data are intact.',
    })
  }
  return recallError('STORAGE_UNAVAILABLE', `The file cannot be used (${String(failure)})`, {
    hint: 'Check that the folder exists and that this process may write to it.',
  })
}

const fullDisk: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Deletes a closed store. */
export function removeStore(disk: Disk, path: string): void {
  try {
    // Then nothing that remains on the disk can be read.
    disk.forgetKeys?.()
  } catch (error) {
    throw explainFailure(error)
  }
  // The journal first: a database without its journal is complete or empty, never the reverse.
  removeAll(disk, path, ['-wal', '-wal-new', '-journal', '-revision', ''])
}

function removeAll(disk: Disk, path: string, suffixes: readonly string[]): void {
  try {
    for (const suffix of suffixes) disk.remove(path + suffix)
    disk.syncFolder(path)
  } catch (error) {
    throw explainFailure(error)
  }
}

/** Files that remain change nothing: the next owner opens them again. */
function tryRemove(disk: Disk, path: string): void {
  try {
    removeAll(disk, path, ['-wal', '-revision'])
  } catch {}
}

/** Null if something else than a file has the path. */
function sizeOf(disk: Disk, path: string): number | null {
  let bytes = 0
  try {
    for (const name of [path, `${path}-wal`]) {
      if (!disk.exists(name)) continue
      const file = disk.open(name, false)
      bytes += file.size()
      file.close()
    }
    return bytes
  } catch {
    return null
  }
}
