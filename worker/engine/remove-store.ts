/** Deletes a closed store by its name: its OPFS folder, its IndexedDB database and the note of its storage location. */
import { recallError } from '../../src/core/model/errors.ts'
import { readLocation, writeLocation } from '../storage/common/storage-location.ts'
import { peekIndexedDb, removeIndexedDb } from '../storage/indexeddb/indexeddb.ts'
import { peekOpfs, removeOpfs } from '../storage/opfs/opfs.ts'
import { channelName } from '../tabs/broadcast.ts'
import { findTabsPlatform } from '../tabs/find-platform.ts'

/** Resolves to whether the store existed. Rejects with STORE_BUSY when a tab has the store open. */
export async function removeStore(name: string): Promise<boolean> {
  const locks = findTabsPlatform()?.locks
  if (locks === undefined) return remove(name)
  // The lock is held until everything is deleted: a tab that opens the store meanwhile waits.
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
  const [note, opfs, indexeddb] = await Promise.all([readLocation(name), peekOpfs(name), peekIndexedDb(name)])
  if (opfs !== null) await removeOpfs(name)
  if (indexeddb !== null) await removeIndexedDb(name)
  // Last: if this is interrupted earlier, the note still says that the store existed, and it can be deleted again.
  if (note.kind !== null) await writeLocation(name, { kind: null })
  return opfs !== null || indexeddb !== null || note.kind !== null
}
