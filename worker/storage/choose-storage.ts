/**
 * Chooses where a store lives. One that lives somewhere is opened there, or moved to the kind that was asked for; a new
 * one takes the kind named by the caller, or the best that really works. It never leaves a store that is busy, damaged
 * or missing for an empty one, and says why a better kind was not to be had.
 */
import { problemOf, RecallError, recallError } from '../../src/core/model/errors.ts'
import type { LoadingSqlite, OpenStorage, StorageKind } from './common/port.ts'
import { type Home, type HomeNote, readHome, writeHome } from './common/storage-location.ts'
import { peekIndexedDb } from './indexeddb/indexeddb.ts'
import { openMemory } from './memory.ts'
import { durableKinds, moveStore, removeLeftover } from './move-store.ts'
import { findOpfs, peekOpfs } from './opfs/opfs.ts'

export interface StorageRequest {
  readonly name: string
  readonly storage: 'auto' | OpenStorage['kind']
}

/**
 * Opens a store, while SQLite loads if it has to. Only STORAGE_UNAVAILABLE moves `auto` down a rung; every other error is the
 * caller's to hear.
 */
export async function openStorage(sqlite3: LoadingSqlite, request: StorageRequest): Promise<OpenStorage> {
  try {
    return await findStorage(sqlite3, request)
  } catch (error) {
    // Without it no kind works, and each would say so in words of its own.
    await sqlite3
    throw error
  }
}

async function findStorage(sqlite3: LoadingSqlite, { name, storage }: StorageRequest): Promise<OpenStorage> {
  if (storage === 'memory') return openMemory(sqlite3, name)
  const note = await readHome(name)
  const home = note.home ?? (await findHome(name))
  const opened =
    home === null ? await openNew(sqlite3, name, storage) : await openWhereItLives(sqlite3, name, storage, home, note)
  // A new store in IndexedDB notes itself with its first flush: before that there is nothing to miss.
  const isThere = home !== null || opened.kind === 'opfs'
  if (note.home === null && isThere && opened.kind !== 'memory') await writeHome(name, { home: opened.kind })
  return opened
}

/** What the kinds themselves show, where nothing was noted. */
async function findHome(name: string): Promise<Home | null> {
  const [opfs, indexeddb] = await Promise.all([peekOpfs(name), peekIndexedDb(name)])
  if (opfs !== 'made') return indexeddb === 'made' ? 'indexeddb' : null
  if (indexeddb !== 'made') return 'opfs'
  throw recallError('STORE_CORRUPT', 'must name one store, but one is in OPFS and another one in IndexedDB', {
    field: 'name',
    value: name,
    hint: 'Save both with `salvage` of scrubjay/salvage and its option storage, then import them into a new store. Nothing was changed.',
  })
}

async function openNew(
  sqlite3: LoadingSqlite,
  name: string,
  storage: Exclude<StorageRequest['storage'], 'memory'>,
): Promise<OpenStorage> {
  // Nothing is made for a store that cannot be.
  await sqlite3
  if (storage !== 'auto') return durableKinds[storage](sqlite3, name)
  const refusals: string[] = []
  for (const [kind, open] of rungs) {
    const opened = await tryKind(() => open(sqlite3, name))
    if (typeof opened === 'object') return { ...opened, degraded: [...refusals, ...opened.degraded] }
    refusals.push(`No ${kind} storage: ${opened}`)
  }
  throw recallError('STORAGE_UNAVAILABLE', `No kind of storage works here: ${refusals.join(' ')}`)
}

/** Best first. */
const rungs: readonly (readonly [OpenStorage['kind'], StorageKind])[] = [
  ['opfs', durableKinds.opfs],
  ['indexeddb', durableKinds.indexeddb],
  ['memory', openMemory],
]

async function openWhereItLives(
  sqlite3: LoadingSqlite,
  name: string,
  storage: 'auto' | Home,
  home: Home,
  { leftover }: HomeNote,
): Promise<OpenStorage> {
  const openAtHome = () => durableKinds[home](sqlite3, name, { mustExist: true }).catch(livesHere(home))
  const wanted = storage === 'auto' ? 'opfs' : storage
  if (wanted === home) {
    const opened = await openAtHome()
    return leftover ? removeLeftover(opened, name, home, leftover) : opened
  }
  if (storage !== 'auto') return moveStore(sqlite3, name, home, wanted)
  const moved = await tryKind(async () => {
    // Asked before the store is read: where there is no better kind it would be read twice.
    findOpfs()
    return moveStore(sqlite3, name, home, wanted)
  })
  if (typeof moved === 'object') return moved
  const opened = await openAtHome()
  return { ...opened, degraded: [`No ${wanted} storage: ${moved}`, ...opened.degraded] }
}

/** For want of its kind a store must not seem to be a new one. */
function livesHere(home: Home): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RecallError) || error.code !== 'STORAGE_UNAVAILABLE') throw error
    throw recallError(
      'STORAGE_UNAVAILABLE',
      `The store is in ${home}, which cannot be opened now: ${problemOf(error)}`,
      {
        hint: 'Open the store in the kind of window that created it, or open another name.',
      },
    )
  }
}

/** The store, or why this kind is not to be had. */
async function tryKind(open: () => Promise<OpenStorage>): Promise<OpenStorage | string> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof RecallError && error.code === 'STORAGE_UNAVAILABLE') return error.message
    throw error
  }
}
