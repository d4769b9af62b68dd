/**
 * Moves a store from one kind of storage to another: copy, verify, save the location, delete. If it is interrupted, the store is
 * complete in the kind that is saved as its location, and the next opening removes the rest from the other kind.
 */
import type { PersistentKind } from '../../src/protocol/location-note.ts'
import { copyDatabase } from '../sqlite/copy-database.ts'
import type { Unlocking } from './common/lock-port.ts'
import type { LoadingSqlite, OpenStorage, StorageKind } from './common/port.ts'
import { writeLocation } from './common/storage-location.ts'
import { copyWithRoom, notCopied, verifyCopy } from './copied-store.ts'
import { openIndexedDb, removeIndexedDb } from './indexeddb/indexeddb.ts'
import { openOpfs, removeOpfs } from './opfs/opfs.ts'

export const durableKinds: Readonly<Record<PersistentKind, StorageKind>> = { opfs: openOpfs, indexeddb: openIndexedDb }

const removeFrom: Readonly<Record<PersistentKind, (name: string) => Promise<void>>> = {
  opfs: removeOpfs,
  indexeddb: removeIndexedDb,
}

/**
 * Resolves to the store, open in the new kind. If it rejects, the store is closed and complete where it was. `lock` opens it where it is, `newLock` where
 * it goes; null: it is not locked there. Default: the same one.
 */
export async function moveStore(
  sqlite3: LoadingSqlite,
  name: string,
  from: PersistentKind,
  to: PersistentKind,
  lock: Unlocking | undefined,
  newLock?: Unlocking | null,
): Promise<OpenStorage> {
  const source = await durableKinds[from](sqlite3, name, { mustExist: true, lock })
  const isSame = newLock === undefined
  const targetLock = isSame ? lock : (newLock ?? undefined)
  let target: OpenStorage | undefined
  let copied: OpenStorage | undefined
  try {
    copied = newLock ? await copyWithRoom(sqlite3, source.database) : source
    const { database } = copied
    // The old location is saved first: what is created from here on is a copy until the location changes.
    if (!(await writeLocation(name, { kind: from, leftover: to }))) throw cannotSaveLocation()
    await removeFrom[to](name)
    const copy = await durableKinds[to](sqlite3, name, {
      fill: (empty) => copyDatabase(database, empty, notCopied),
      lock: targetLock,
      keys: isSame ? source.keys : undefined,
    })
    await copy.close()
    // Opened again, so that the comparison reads what is on disk.
    target = await durableKinds[to](sqlite3, name, { mustExist: true, lock: targetLock })
    verifyCopy(database, target.database)
    // From here on the new kind is its location. If that cannot be saved, the original must remain.
    if (!(await writeLocation(name, { kind: to, leftover: from }))) throw cannotSaveLocation()
  } catch (error) {
    await target?.close()
    throw error
  } finally {
    await copied?.close()
    await source.close()
  }
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

function cannotSaveLocation() {
  return notCopied('Cache Storage is missing, where its new location must be saved')
}
