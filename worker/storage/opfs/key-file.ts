/**
 * The locks of a store in OPFS: two copies in a file next to its pool, which is not held open, so that a tab can check its lock while another one
 * has the store open.
 */
import { directoryName, keyFileName, poolDirectory, rootDirectory } from '../../../src/protocol/store-directory.ts'
import type { HeldKeys, OpenKeys } from '../../lock/port.ts'
import { copyBytes, encodeCopy, newestOf, type StoredKeys } from '../common/key-copies.ts'
import { damagedLocks, notLocked } from '../common/lock-errors.ts'
import type { FoundDatabase, KeyRequest, Keyring } from '../common/lock-port.ts'
import { handleDeadlineMs, retryHandles } from '../common/retry-handles.ts'

/** As the port of the file with the ciphers says. */
export async function openKeyFile(
  directory: FileSystemDirectoryHandle,
  found: FoundDatabase,
  { name, keyring, copied, wasCreated, beforeSave }: KeyRequest,
): Promise<HeldKeys> {
  const stored = await readKeys(directory)
  const isNew = !wasCreated && found.isEmpty
  // Of a removal that was interrupted: no one can read it.
  const isRemoved = !wasCreated && stored === 'erased'
  if (isRemoved) await removeIfThere(directory, poolDirectory)
  const held = (keys: OpenKeys): HeldKeys => ({
    ...keys,
    save(record) {
      beforeSave?.()
      return replaceKeys(directory, record)
    },
  })
  if (isNew || isRemoved) return held(await makeKeys(directory, keyring, copied))
  if (typeof stored === 'string' || (stored === null && found.isSealed)) throw damagedLocks(name)
  if (stored === null) throw notLocked(name)
  const keys = await keyring.open(stored.record)
  if (!stored.isEven) await writeCopies(directory, encodeCopy(stored.record, stored.sequence))
  return held(keys)
}

/** Checks the lock of a store that another tab may have open. Writes nothing. */
export async function checkKeyFile(name: string, keyring: Keyring): Promise<void> {
  const folder = await findFolder(name)
  const stored = folder === null ? null : await readKeys(folder)
  if (stored !== null && typeof stored === 'object') await keyring.open(stored.record)
}

async function makeKeys(
  directory: FileSystemDirectoryHandle,
  keyring: Keyring,
  copied: OpenKeys | undefined,
): Promise<OpenKeys> {
  const keys = copied ?? (await keyring.create())
  await writeCopies(directory, encodeCopy(keys.record(), 1))
  return keys
}

async function replaceKeys(directory: FileSystemDirectoryHandle, record: Uint8Array): Promise<void> {
  const stored = await readKeys(directory)
  await writeCopies(
    directory,
    encodeCopy(record, stored !== null && typeof stored === 'object' ? stored.sequence + 1 : 1),
  )
}

/** Null: the file is missing. `erased`: a removal of the store overwrote it. `damaged`: no copy is whole. */
async function readKeys(directory: FileSystemDirectoryHandle): Promise<StoredKeys | null | 'erased' | 'damaged'> {
  let file: File
  try {
    file = await (await directory.getFileHandle(keyFileName)).getFile()
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
  const bytes = new Uint8Array(await file.slice(0, 2 * copyBytes).arrayBuffer())
  const copies = [0, copyBytes].map((at) => bytes.slice(at, at + copyBytes))
  const keys = newestOf(copies)
  if (keys !== null) return keys
  return bytes.length > 0 && bytes.every((byte) => byte === 0) ? 'erased' : 'damaged'
}

async function writeCopies(directory: FileSystemDirectoryHandle, copy: Uint8Array<ArrayBuffer>): Promise<void> {
  const file = await directory.getFileHandle(keyFileName, { create: true })
  // A killed owner may hold it for a moment.
  const handle = await retryHandles(performance.now() + handleDeadlineMs, () => file.createSyncAccessHandle())
  try {
    for (const at of [0, copyBytes]) {
      if (handle.write(copy, { at }) < copyBytes) throw new DOMException('The locks do not fit.', 'QuotaExceededError')
      handle.flush()
    }
  } finally {
    handle.close()
  }
}

async function findFolder(name: string): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(rootDirectory)
    return await root.getDirectoryHandle(directoryName(name))
  } catch {
    return null
  }
}

async function removeIfThere(directory: FileSystemDirectoryHandle, entry: string): Promise<void> {
  try {
    await directory.removeEntry(entry, { recursive: true })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError'
}
