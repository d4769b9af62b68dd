/**
 * Opens what is left of a store in any kind of storage, only for reading. It leaves no lock and changes no byte. A statement that needs a
 * page which cannot be proven fails.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { handleDeadlineMs, handleError, retryHandles } from '../common/retry-handles.ts'
import { readLocation } from '../common/storage-location.ts'
import type { PersistentKind } from '../../../src/protocol/location-note.ts'
import {
  directoryName,
  keyFileName,
  lockKeys,
  poolDirectory,
  rootDirectory,
} from '../../../src/protocol/store-directory.ts'
import type { ByteStore } from '../common/byte-store.ts'
import { openIdbToRead } from '../indexeddb/idb-byte-store.ts'
import { databaseName, peekIndexedDb, takeLock } from '../indexeddb/indexeddb.ts'
import { holdLockFile, type LockFile } from '../opfs/lock-file.ts'
import { findOpfs, peekOpfs } from '../opfs/opfs.ts'
import type { DamagedStore } from '../common/port.ts'
import { mounted } from './mount-proven.ts'
import type { ProvenPages } from './proven-pages.ts'
import { readDamagedLog } from './read-damaged-log.ts'
import { type ReadPool, readPool } from './read-pool.ts'

/** Rejects with DATA_MISSING, STORE_BUSY, STORE_NEWER, STORAGE_UNAVAILABLE, or with STORE_CORRUPT if nothing can be proven. */
export async function openDamaged(
  sqlite3: Sqlite3Static,
  name: string,
  storage: 'auto' | PersistentKind,
): Promise<DamagedStore> {
  const kind = storage === 'auto' ? ((await readLocation(name)).kind ?? (await findKind(name))) : storage
  return kind === 'opfs' ? openInOpfs(sqlite3, name) : openInIndexedDb(sqlite3, name)
}

async function findKind(name: string): Promise<PersistentKind> {
  const [opfs, indexeddb] = await Promise.all([peekOpfs(name), peekIndexedDb(name)])
  if (opfs === 'made' && indexeddb === 'made') {
    throw recallError('INVALID_ARGUMENT', 'must be "opfs" or "indexeddb", because both hold a store of this name', {
      field: 'storage',
      value: 'auto',
      hint: 'Name one kind, then the other: salvage both.',
    })
  }
  if (indexeddb === 'made') return 'indexeddb'
  // A store with a damaged lock file looks as if it was only begun.
  if (opfs !== null) return 'opfs'
  if (indexeddb !== null) return 'indexeddb'
  throw missing(name)
}

async function openInOpfs(sqlite3: Sqlite3Static, name: string): Promise<DamagedStore> {
  const folder = await folderOf(name)
  if (folder === null) throw missing(name)
  if (await folder.getFileHandle(keyFileName).catch(() => null)) throw locked(name)
  const endMs = performance.now() + handleDeadlineMs
  let lockFile: Pick<LockFile, 'noted' | 'release'> | null = null
  let pages: ReadPool | null = null
  const close = () => {
    pages?.close()
    lockFile?.release()
  }
  try {
    lockFile = await retryHandles(endMs, () => holdLockFile(folder))
    const files = await folderIn(await folderIn(folder, poolDirectory), '.opaque')
    pages = files === null ? null : await readPool(files, endMs)
    if (pages === null) throw missing(name)
    const noted = lockFile?.noted() ?? 0
    return {
      kind: 'opfs',
      ...mounted(sqlite3, name, pages, close),
      missingChanges: (revision) => (noted === 0 || revision === null ? null : Math.max(0, noted - revision)),
    }
  } catch (error) {
    close()
    throw handleError(error, true)
  }
}

async function openInIndexedDb(sqlite3: Sqlite3Static, name: string): Promise<DamagedStore> {
  const release = await takeLock(name)
  try {
    const bytes = await openIdbToRead(databaseName(name))
    if (bytes === null) throw missing(name)
    try {
      if ((await bytes.keys()).some((key) => lockKeys.includes(key))) throw locked(name)
      return await openDamagedLog(sqlite3, name, bytes, release)
    } finally {
      await bytes.close()
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Opens a store from a page log in any byte store. The log is read completely; the byte store is not needed afterwards. */
export async function openDamagedLog(
  sqlite3: Sqlite3Static,
  name: string,
  store: Pick<ByteStore, 'keys' | 'read'>,
  release: () => void = () => undefined,
): Promise<DamagedStore> {
  const log = await readDamagedLog(store)
  if (log === null) throw missing(name)
  const { pages, missing: steps } = log
  const proven: ProvenPages = { count: pages.length, page: (number) => pages[number] ?? null }
  return { kind: 'indexeddb', ...mounted(sqlite3, name, proven, release), missingChanges: () => steps }
}

async function folderOf(name: string): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await folderIn(await folderIn(await findOpfs().getDirectory(), rootDirectory), directoryName(name))
  } catch (error) {
    throw error instanceof RecallError ? error : handleError(error, false)
  }
}

/** Null if there is none. */
async function folderIn(
  folder: FileSystemDirectoryHandle | null,
  entry: string,
): Promise<FileSystemDirectoryHandle | null> {
  try {
    return (await folder?.getDirectoryHandle(entry)) ?? null
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return null
    throw error
  }
}

function locked(name: string): RecallError {
  return recallError('LOCKED', 'The store is locked, and a locked store cannot be salvaged yet', {
    value: name,
    hint: 'Restore an export. Nothing was changed.',
  })
}

function missing(name: string): RecallError {
  return recallError('DATA_MISSING', 'must name a store of this browser', {
    field: 'name',
    value: name,
    hint: 'Check the name and the kind of storage. Nothing was changed.',
  })
}
