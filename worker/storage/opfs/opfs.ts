/**
 * Storage in the origin-private file system through `opfs-sahpool`: one folder, database and connection for each store, and an exclusive
 * WAL that is synced at every commit. Waits for handles, never deletes data, and never treats a damaged file as an empty one.
 */
import type { SAHPoolUtil, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { takeVfsFailure } from '../../sqlite/init-sqlite.ts'
import { guardJournalOf, guardPagesOf, reserveSeals } from '../../sqlite/pages/checksum-vfs.ts'
import { type Seal, sealBytes } from '../../sqlite/pages/seal.ts'
import { applyPragmas, pageSizePragma } from '../../sqlite/pragmas.ts'
import { openSqliteDatabase, type SqliteDatabase, typedMemoryError } from '../../sqlite/sqlite-database.ts'
import { lockedStore } from '../common/lock-errors.ts'
import { makeShrinkable, reclaimPages } from '../common/incremental-vacuum.ts'
import { openSnapshot } from '../common/open-snapshot.ts'
import type { StorageKind } from '../common/port.ts'
import { handleDeadlineMs, handleError, isQuotaFailure, quotaError, retryHandles } from '../common/retry-handles.ts'
import type { HeldKeys } from '../../lock/port.ts'
import { writeLocation } from '../common/storage-location.ts'
import { directoryName, keyFileName, poolDirectory, rootDirectory } from '../../../src/protocol/store-directory.ts'
import { readUsage } from '../common/usage.ts'
import { checkpoint, exclusivePragma, hadJournal, tryEmptyJournal, walPragmas } from '../common/wal.ts'
import { inspectPool } from './inspect-pool.ts'
import { type LockFile, peekLockFile, takeLockFile } from './lock-file.ts'
import { overwrite } from './overwrite.ts'
import { holdRoom, type Room } from './reserve-space.ts'

/**
 * Opens or creates the store of this name. Rejects with STORAGE_UNAVAILABLE without OPFS, STORE_BUSY if the files are still held
 * after 5 s, STORE_CORRUPT, DATA_MISSING, QUOTA_EXCEEDED, LOCKED or WRONG_KEY.
 */
export const openOpfs: StorageKind = async (sqlite3, name, { mustExist = false, fill, lock, keys: copied } = {}) => {
  const { directory, lockFile, endMs } = await takeStore(name)
  let loaded: Sqlite3Static | undefined
  let pool: SAHPoolUtil | undefined
  let database: SqliteDatabase | undefined
  let keys: HeldKeys | null = null
  let isOpen = true

  const close = async () => {
    if (!isOpen) return
    isOpen = false
    try {
      if (database) tryEmptyJournal(database)
      database?.close()
      if (loaded && pool) parkPool(loaded, name, pool)
    } finally {
      // Last, because the next owner of the lock must find the files free.
      lockFile.release()
    }
  }

  try {
    const wasCreated = lockFile.wasCreated || mustExist
    const found = await inspectPool(directory, poolDirectory, databasePath, wasCreated)
    // Without a lock: also what is left of a creation that was interrupted.
    const asked = { name, copied, wasCreated, beforeSave: lockFile.renew }
    if (lock !== undefined) keys = await lock.ciphers.openKeyFile(directory, found, { ...asked, keyring: lock.keyring })
    else if (found.isSealed) throw lockedStore(name)
    else if (found.isEmpty) await removeEntry(directory, keyFileName)
    if (keys) lockFile.sealWith(keys.seal)
    loaded = await sqlite3
    pool = await openPool(loaded, name, endMs)
    database = openDatabase(loaded, pool.vfsName, keys?.seal)
    fill?.(database)
    // Only now the first page is on disk. A store that is marked as created must never be empty.
    if (!lockFile.wasCreated) lockFile.markCreated()
  } catch (error) {
    await close()
    throw handleError(loaded ? typedMemoryError(loaded, error) : error, lockFile.wasCreated || mustExist)
  }

  const opened = database
  const { vfsName } = pool
  const seal = keys?.seal
  return {
    keys: keys ?? undefined,
    isUnerased: hadJournal(opened),
    kind: 'opfs',
    durability: 'committed',
    database: opened,
    degraded: [],
    checkpoint: () => checkpoint(opened),
    openReader: () => openReader(opened, vfsName, seal),
    reclaimPages: () => reclaimPages(opened),
    acknowledged: { latest: lockFile.noted, note: lockFile.note },
    usage: readUsage,
    close,
    destroy: async () => {
      await close()
      await writeLocation(name, { kind: null })
      await removeOpfs(name)
    },
  }
}

/** `made`: a store was created here. `begun`: there is a folder without an acknowledged store. */
export async function peekOpfs(name: string): Promise<'made' | 'begun' | null> {
  try {
    const root = await (await findOpfs().getDirectory()).getDirectoryHandle(rootDirectory)
    return (await peekLockFile(await root.getDirectoryHandle(directoryName(name)))) ? 'made' : 'begun'
  } catch {
    return null
  }
}

/** Removes every stored byte of a store that is not open. Rejects with STORE_BUSY if it is open, here or elsewhere. */
export async function removeOpfs(name: string): Promise<void> {
  const { root, directory, lockFile, endMs } = await takeStore(name)
  try {
    // First marks it as absent: an interruption after this leaves the complete store or, at worst, a new one.
    lockFile.markAbsent()
    // Then nothing that remains on the disk can be read: first the locks, then the rest.
    await overwrite(await directory.getFileHandle(keyFileName).catch(() => null))
    await retryHandles(endMs, async () => {
      await overwrite(await directory.getDirectoryHandle(poolDirectory).catch(() => null))
      await removeEntry(directory, poolDirectory)
    })
  } catch (error) {
    throw handleError(error, lockFile.wasCreated)
  } finally {
    lockFile.release()
  }
  await retryHandles(endMs, () => removeEntry(root, directoryName(name))).catch((error: unknown) => {
    throw handleError(error, true)
  })
}

/** The path of the database in the pool. */
export const databasePath = '/store.sqlite'

/** Database, WAL, the rollback journal of the first page, and two spare files. Temporary files are in memory. */
const poolFiles = 5

interface TakenStore {
  readonly root: FileSystemDirectoryHandle
  readonly directory: FileSystemDirectoryHandle
  readonly lockFile: LockFile
  /** Time (`performance.now()`) until which an opening waits for handles. */
  readonly endMs: number
}

/** The interface of OPFS, untested. Throws STORAGE_UNAVAILABLE if there is none. */
export function findOpfs(): Pick<StorageManager, 'getDirectory'> {
  const storage = (globalThis.navigator as WorkerNavigator | undefined)?.storage as Partial<StorageManager> | undefined
  if (!storage?.getDirectory || !globalThis.FileSystemFileHandle?.prototype.createSyncAccessHandle) {
    throw recallError('STORAGE_UNAVAILABLE', 'This context has no OPFS with synchronous handles', {
      hint: 'Use a secure page, a dedicated worker and a current browser.',
    })
  }
  return storage as StorageManager
}

async function takeStore(name: string): Promise<TakenStore> {
  const storage = findOpfs()
  const endMs = performance.now() + handleDeadlineMs
  let wasCreated = false
  try {
    return await retryHandles(endMs, async () => {
      const root = await (await storage.getDirectory()).getDirectoryHandle(rootDirectory, { create: true })
      const directory = await root.getDirectoryHandle(directoryName(name), { create: true })
      try {
        return { root, directory, lockFile: await takeLockFile(directory), endMs }
      } catch (error) {
        // Only a failure needs to know it, and each request to the browser delays the opening.
        wasCreated ||= await peekLockFile(directory)
        throw error
      }
    })
  } catch (error) {
    throw handleError(error, wasCreated)
  }
}

/** Closed pools of this thread: a VFS cannot be removed without deleting its files, only paused and resumed. */
const parkedPools = new WeakMap<Sqlite3Static, Map<string, SAHPoolUtil>>()
let poolCount = 0

function parkPool(sqlite3: Sqlite3Static, name: string, pool: SAHPoolUtil): void {
  pool.pauseVfs()
  const parked = parkedPools.get(sqlite3) ?? new Map<string, SAHPoolUtil>()
  parkedPools.set(sqlite3, parked.set(name, pool))
}

async function openPool(sqlite3: Sqlite3Static, name: string, endMs: number): Promise<SAHPoolUtil> {
  const parked = parkedPools.get(sqlite3)?.get(name)
  parkedPools.get(sqlite3)?.delete(name)
  // A paused pool is useless if its folder was removed meanwhile; a new pool reads what exists now.
  const resumed = await parked?.unpauseVfs().catch(() => undefined)
  const pool = resumed ?? (await installPool(sqlite3, name, endMs))
  try {
    // Slots cannot be added while SQLite requests one.
    await pool.reserveMinimumCapacity(poolFiles)
    return pool
  } catch (error) {
    parkPool(sqlite3, name, pool)
    throw error
  }
}

async function installPool(sqlite3: Sqlite3Static, name: string, endMs: number): Promise<SAHPoolUtil> {
  const options = {
    name: `scrubjay-${++poolCount}`,
    directory: `${rootDirectory}/${directoryName(name)}/${poolDirectory}`,
    initialCapacity: poolFiles,
    // By default the VFS deletes the whole pool after one error at opening.
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
    // 1: errors go to the configuration's `error`, where init-sqlite.ts keeps them.
    verbosity: 1,
  }
  return retryHandles(endMs, () => sqlite3.installOpfsSAHPoolVfs(options))
}

function openDatabase(sqlite3: Sqlite3Static, vfs: string, seal?: Seal): SqliteDatabase {
  let room: Room | undefined
  let wasFull = false
  const explainFailure = (code: number) => {
    const error = explain(code, takeVfsFailure(vfs))
    wasFull ||= error !== null
    return error
  }
  const database = openSqliteDatabase(sqlite3, {
    filename: databasePath,
    vfs,
    explainFailure,
    room: {
      ensure(pages, isDeletion) {
        try {
          room?.ensure(pages, isDeletion)
        } catch (error) {
          wasFull = true
          throw error
        }
      },
      regain() {
        // Out of memory is QUOTA_EXCEEDED, too, but emptying the journal frees no memory.
        const isFull = wasFull
        wasFull = false
        return isFull && tryEmptyJournal(database)
      },
    },
  })
  try {
    const main = guardPagesOf(sqlite3, database.pointer, seal)
    applyPragmas(database, [pageSizePragma])
    // Setting the page size resets the reserved bytes. Choosing the journal mode writes the first page.
    reserveSeals(sqlite3, database.pointer, seal && sealBytes)
    applyPragmas(database, [exclusivePragma])
    makeShrinkable(database)
    applyPragmas(database, walPragmas)
    // SQLite opens the journal with the first read.
    database.execute('SELECT count(*) FROM sqlite_schema')
    const journal = guardJournalOf(sqlite3, database.pointer)
    // A journal that opened later would not be encrypted.
    if (seal !== undefined && journal === null) throw new Error('SQLite did not open the journal.')
    room = holdRoom(main, journal)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Reads only the main file: after a checkpoint it has all commits, and later writes stay out of it until they are committed. */
function openReader(writer: SqliteDatabase, vfs: string, seal?: Seal): SqliteDatabase {
  checkpoint(writer)
  const { sqlite3 } = writer
  const explainFailure = (code: number) => explain(code, takeVfsFailure(vfs))
  return openSnapshot(sqlite3, { filename: databasePath, vfs, explainFailure }, ({ pointer }) => {
    guardPagesOf(sqlite3, pointer, seal)
    // It reads no journal.
    if (seal !== undefined) guardJournalOf(sqlite3, pointer)
  })
}

/** SQLite reports a full disk as an I/O error; the browser's error has the cause. */
function explain(code: number, failure: unknown): RecallError | null {
  const isStorageCode = [ioError, cannotOpen].includes(code & 0xff)
  return isStorageCode && isQuotaFailure(failure) ? quotaError(failure) : null
}

/** SQLITE_IOERR and SQLITE_CANTOPEN. */
const ioError = 10
const cannotOpen = 14

async function removeEntry(directory: FileSystemDirectoryHandle, entry: string): Promise<void> {
  try {
    await directory.removeEntry(entry, { recursive: true })
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error
  }
}
