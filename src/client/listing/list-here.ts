/** Lists the stores of this origin: notes of locations, folders in OPFS, databases in IndexedDB. */
import { compareCodePoints } from '../../core/text/hash/code-point-order.ts'
import {
  directoryOfKey,
  type PersistentKind,
  type LocationNote,
  notesCache,
  parseNote,
} from '../../protocol/location-note.ts'
import { directoryName } from '../../protocol/store-directory.ts'
import type { StoredStore } from '../../protocol/stored-store.ts'
import type { Found, FoundStores } from './found.ts'
import { findInIndexedDb } from './indexeddb.ts'
import { findInOpfs } from './opfs.ts'

export async function listHere(): Promise<readonly StoredStore[]> {
  const notes = await readNotes()
  const [opfs, indexeddb] = await Promise.all([findInOpfs(), findInIndexedDb([...notes.keys()])])
  const found: Readonly<Record<PersistentKind, FoundStores>> = { opfs, indexeddb }
  const directories = new Set([...notes.keys(), ...(opfs?.keys() ?? []), ...(indexeddb?.keys() ?? [])])
  return [...directories].flatMap((directory) => storesOf(directory, notes.get(directory), found)).toSorted(byName)
}

/** Without a note, each kind in which a store was created has one. Two of them are a state that opening refuses. */
function storesOf(
  directory: string,
  note: LocationNote | undefined,
  found: Readonly<Record<PersistentKind, FoundStores>>,
): readonly StoredStore[] {
  const parts = kinds.flatMap((kind) => found[kind]?.get(directory) ?? [])
  const name = note?.name ?? parts.find((part) => part.name !== undefined)?.name ?? nameOf(directory)
  const kind = note?.kind ?? null
  if (kind !== null) {
    const stores = found[kind]
    const bytes = stores === null ? null : sum(parts)
    const one = stores?.get(directory)
    const missing = stores !== null && one?.isEmpty !== false
    return [{ name, storage: kind, bytes, missing, ...lockedOf(one) }]
  }
  return kinds.flatMap((storage) => {
    const one = found[storage]?.get(directory)
    return one?.isCreated === true ? [{ name, storage, bytes: one.bytes, missing: one.isEmpty, ...lockedOf(one) }] : []
  })
}

function lockedOf(one: Found | undefined): Pick<StoredStore, 'locked'> {
  return one?.isLocked === true ? { locked: true } : {}
}

const kinds = ['opfs', 'indexeddb'] as const

function sum(parts: readonly Found[]): number | null {
  return parts.some(({ bytes }) => bytes === null) ? null : parts.reduce((total, { bytes }) => total + bytes!, 0)
}

/** A directory begins with the readable part of the name. It is the whole name if it has the same hash. */
function nameOf(directory: string): string | null {
  const readable = directory.slice(0, directory.lastIndexOf('.'))
  return directoryName(readable) === directory ? readable : null
}

async function readNotes(): Promise<ReadonlyMap<string, LocationNote>> {
  const notes = new Map<string, LocationNote>()
  try {
    // Opening a cache would create it.
    if (!(await caches.has(notesCache))) return notes
    const cache = await caches.open(notesCache)
    for (const request of await cache.keys()) {
      const text = await (await cache.match(request))?.text()
      if (text !== undefined) notes.set(directoryOfKey(request.url), parseNote(text))
    }
  } catch {
    // Without Cache Storage there are no notes.
  }
  return notes
}

/** Stores without a name last. */
function byName(left: StoredStore, right: StoredStore): number {
  if (left.name === null || right.name === null) return Number(left.name === null) - Number(right.name === null)
  return compareCodePoints(left.name, right.name) || compareCodePoints(left.storage, right.storage)
}
