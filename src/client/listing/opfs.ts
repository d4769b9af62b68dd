/** Finds the stores in OPFS. Reads lengths and one byte of each store; takes no lock. */
import { recallError } from '../../core/model/errors.ts'
import { createdMark, keyFileName, lockFileName, poolDirectory, rootDirectory } from '../../protocol/store-directory.ts'
import type { Found, FoundStores } from './found.ts'

/** Null without OPFS. Rejects with STORAGE_UNAVAILABLE if its folders cannot be read. */
export async function findInOpfs(): Promise<FoundStores> {
  const origin = await originFolder()
  if (origin === null) return null
  const found = new Map<string, Found>()
  try {
    const root = await folderIn(origin, rootDirectory)
    if (root === null) return found
    for await (const entry of root.values()) if (entry.kind === 'directory') found.set(entry.name, await read(entry))
  } catch (error) {
    throw recallError('STORAGE_UNAVAILABLE', `OPFS cannot be read (${String(error)})`, {
      hint: 'Reload the page, then try again. Nothing was changed.',
    })
  }
  return found
}

/** Browsers without OPFS have no such method; private windows of some refuse it. */
async function originFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await navigator.storage.getDirectory()
  } catch {
    return null
  }
}

async function read(folder: FileSystemDirectoryHandle): Promise<Found> {
  const pool = await folderIn(folder, poolDirectory)
  const inPool = pool === null ? 0 : await bytesIn(pool)
  const all = await bytesIn(folder)
  const isLocked = await hasFile(folder, keyFileName)
  return { isCreated: await isCreated(folder), isEmpty: inPool === 0, isLocked, bytes: all }
}

/** Null if a file cannot be read. */
async function bytesIn(folder: FileSystemDirectoryHandle): Promise<number | null> {
  let bytes = 0
  for await (const entry of folder.values()) {
    const some = entry.kind === 'directory' ? await bytesIn(entry) : await bytesOf(entry)
    if (some === null) return null
    bytes += some
  }
  return bytes
}

async function bytesOf(file: FileSystemFileHandle): Promise<number | null> {
  try {
    return (await file.getFile()).size
  } catch (error) {
    // Another tab may remove files meanwhile.
    return isNotFound(error) ? 0 : null
  }
}

async function isCreated(folder: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    const file = await (await folder.getFileHandle(lockFileName)).getFile()
    return new Uint8Array(await file.slice(0, 1).arrayBuffer())[0] === createdMark
  } catch {
    return false
  }
}

async function hasFile(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name)
    return true
  } catch {
    return false
  }
}

async function folderIn(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await folder.getDirectoryHandle(name)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError'
}
