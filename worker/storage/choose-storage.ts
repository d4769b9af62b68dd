/**
 * Chooses the storage of a store. An existing store is opened where it is, or moved to the requested kind. A new store uses the kind
 * that the caller names, or the best kind that works. A store that is busy, damaged or missing is never replaced by an empty one.
 * `degraded` says why a better kind was not available.
 */
import { problemOf, RecallError, recallError } from '../../src/core/model/errors.ts'
import { type PersistentKind, isPersistent, type LocationNote } from '../../src/protocol/location-note.ts'
import type { Unlocking } from './common/lock-port.ts'
import type { LoadingSqlite, OpenStorage, StorageKind } from './common/port.ts'
import { nameLocation, readLocation, writeLocation } from './common/storage-location.ts'
import { peekIndexedDb } from './indexeddb/indexeddb.ts'
import { openMemory } from './memory.ts'
import { durableKinds, moveStore, removeLeftover } from './move-store.ts'
import { findOpfs, peekOpfs } from './opfs/opfs.ts'

export interface StorageRequest {
  readonly name: string
  readonly storage: 'auto' | PersistentKind | 'memory'
  /** Of the opener. Default: the opener gave no lock. */
  readonly lock?: Unlocking | undefined
}

/**
 * Opens a store, while SQLite may still be loading. With `auto`, only STORAGE_UNAVAILABLE makes it try the next kind; other errors are
 * thrown.
 */
export async function openStorage(sqlite3: LoadingSqlite, request: StorageRequest): Promise<OpenStorage> {
  try {
    return await findStorage(sqlite3, request)
  } catch (error) {
    // If SQLite failed to load, every kind fails with an error of its own; this throws the actual cause.
    await sqlite3
    throw error
  }
}

async function findStorage(sqlite3: LoadingSqlite, request: StorageRequest): Promise<OpenStorage> {
  const { name, storage } = request
  if (storage === 'memory') return openMemory(sqlite3, name)
  const note = await readLocation(name)
  const kind = note.kind ?? (await findKind(name))
  const opened =
    kind === null
      ? await openNew(sqlite3, { ...request, storage })
      : await openExisting(sqlite3, { ...request, storage }, kind, note)
  // A new store in IndexedDB saves its location with its first flush. Before that, nothing can be lost.
  const isThere = kind !== null || opened.kind === 'opfs'
  if (note.kind === null && isThere && isPersistent(opened.kind)) await writeLocation(name, { kind: opened.kind })
  if (note.kind !== null && note.name === undefined) await nameLocation(name)
  return opened
}

/** Looks in every kind, for a store without a saved location. Null: there is none. */
export async function findKind(name: string): Promise<PersistentKind | null> {
  const [opfs, indexeddb] = await Promise.all([peekOpfs(name), peekIndexedDb(name)])
  if (opfs !== 'made') return indexeddb === 'made' ? 'indexeddb' : null
  if (indexeddb !== 'made') return 'opfs'
  throw recallError('STORE_CORRUPT', 'must name one store, but one is in OPFS and another one in IndexedDB', {
    field: 'name',
    value: name,
    hint: 'Save both with `salvage` of scrubjay/salvage and its option storage, then import them into a new store. Nothing was changed.',
  })
}

type Kept = StorageRequest & { readonly storage: 'auto' | PersistentKind }

async function openNew(sqlite3: LoadingSqlite, { name, storage, lock }: Kept): Promise<OpenStorage> {
  // Creates nothing if SQLite does not load.
  await sqlite3
  if (storage !== 'auto') return durableKinds[storage](sqlite3, name, { lock })
  const refusals: string[] = []
  for (const [kind, open] of candidates) {
    const opened = await tryKind(() => open(sqlite3, name, { lock }))
    if (typeof opened === 'object') return { ...opened, degraded: [...refusals, ...opened.degraded] }
    refusals.push(`No ${kind} storage: ${opened}`)
  }
  throw recallError('STORAGE_UNAVAILABLE', `No kind of storage works here: ${refusals.join(' ')}`, {
    hint: 'Use a secure page, a dedicated worker and a current browser.',
  })
}

/** Best first. */
const candidates: readonly (readonly [string, StorageKind])[] = [
  ['opfs', durableKinds.opfs],
  ['indexeddb', durableKinds.indexeddb],
  ['memory', openMemory],
]

async function openExisting(
  sqlite3: LoadingSqlite,
  { name, storage, lock }: Kept,
  kind: PersistentKind,
  { leftover }: LocationNote,
): Promise<OpenStorage> {
  const openInPlace = () => durableKinds[kind](sqlite3, name, { mustExist: true, lock }).catch(rejectUnavailable(kind))
  const target = storage === 'auto' ? 'opfs' : storage
  if (target === kind) {
    const opened = await openInPlace()
    return leftover ? removeLeftover(opened, name, kind, leftover) : opened
  }
  if (storage !== 'auto') return moveStore(sqlite3, name, kind, target, lock)
  const moved = await tryKind(async () => {
    // Checked first, because without OPFS reading the store would be useless.
    findOpfs()
    return moveStore(sqlite3, name, kind, target, lock)
  })
  if (typeof moved === 'object') return moved
  const opened = await openInPlace()
  return { ...opened, degraded: [`No ${target} storage: ${moved}`, ...opened.degraded] }
}

/** Reports an unavailable kind as an error of the existing store, so that no empty store is created elsewhere. */
function rejectUnavailable(kind: PersistentKind): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RecallError) || error.code !== 'STORAGE_UNAVAILABLE') throw error
    throw recallError(
      'STORAGE_UNAVAILABLE',
      `The store is in ${kind}, which cannot be opened now: ${problemOf(error)}`,
      {
        hint: 'Open the store in the kind of window that created it, or open another name.',
      },
    )
  }
}

/** The open store, or the reason why this kind is not available. */
async function tryKind(open: () => Promise<OpenStorage>): Promise<OpenStorage | string> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof RecallError && error.code === 'STORAGE_UNAVAILABLE') return error.message
    throw error
  }
}
