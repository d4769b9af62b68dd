/** Deletes a store that nobody has open, by its name: its folder in OPFS, its IndexedDB database, the note of where it lives. */
import { recallError } from '../src/core/model/errors.ts'
import { readHome, writeHome } from './storage/common/storage-location.ts'
import { peekIndexedDb, removeIndexedDb } from './storage/indexeddb/indexeddb.ts'
import { peekOpfs, removeOpfs } from './storage/opfs/opfs.ts'
import { channelName } from './tabs/broadcast.ts'
import { findTabsPlatform } from './tabs/find-platform.ts'

/** Resolves to whether there was anything to delete. Rejects with STORE_BUSY when a tab has the store open. */
export async function removeStore(name: string): Promise<boolean> {
  const locks = findTabsPlatform()?.locks
  if (locks === undefined) return remove(name)
  // Held until everything is gone: a tab that opens the store meanwhile waits.
  return locks.request(channelName(name), { ifAvailable: true }, async (lock) => {
    if (lock === null) {
      throw recallError('STORE_BUSY', 'must name a closed store, but a tab or worker has it open', {
        field: 'name',
        value: name,
        hint: 'Close it in every tab, or call destroy() of an open store. Nothing was deleted.',
      })
    }
    return remove(name)
  })
}

async function remove(name: string): Promise<boolean> {
  const [note, opfs, indexeddb] = await Promise.all([readHome(name), peekOpfs(name), peekIndexedDb(name)])
  if (opfs !== null) await removeOpfs(name)
  if (indexeddb !== null) await removeIndexedDb(name)
  // Last: cut short before this, the store is missing, and can be deleted again.
  if (note.home !== null) await writeHome(name, { home: null })
  return opfs !== null || indexeddb !== null || note.home !== null
}
