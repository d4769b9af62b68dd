/** Deletes a closed store by its name: its OPFS folder, its IndexedDB database and the note of its storage location. */
import { readLocation, writeLocation } from '../storage/common/storage-location.ts'
import { peekIndexedDb, removeIndexedDb } from '../storage/indexeddb/indexeddb.ts'
import { peekOpfs, removeOpfs } from '../storage/opfs/opfs.ts'
import { whileClosed } from './while-closed.ts'

/** Resolves to whether the store existed. Rejects with STORE_BUSY when a tab has the store open. */
export function removeStore(name: string): Promise<boolean> {
  return whileClosed(name, () => remove(name))
}

async function remove(name: string): Promise<boolean> {
  const [note, opfs, indexeddb] = await Promise.all([readLocation(name), peekOpfs(name), peekIndexedDb(name)])
  if (opfs !== null) await removeOpfs(name)
  if (indexeddb !== null) await removeIndexedDb(name)
  // Last: if this is interrupted earlier, the note still says that the store existed, and it can be deleted again.
  if (note.kind !== null) await writeLocation(name, { kind: null })
  return opfs !== null || indexeddb !== null || note.kind !== null
}
