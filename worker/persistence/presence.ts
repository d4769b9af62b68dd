/**
 * A one-byte memory beside the database: does a store live here? Its handle is held as long as the store is open, so it
 * is also the fence between tabs; and taking it writes and reads back, so it proves that OPFS works before anything
 * relies on it. It never says that a store exists before its first page is on disk.
 */
import { recallError } from '../../src/core/model/errors.ts'

export interface Presence {
  /** A database was made here earlier: it must still be here. */
  readonly wasCreated: boolean
  markCreated(): void
  markAbsent(): void
  release(): void
}

const fileName = 'presence'
const absent = 0
const created = 1

/** Rejects with the browser's own error when the file is held, and with STORAGE_UNAVAILABLE when writing does not hold. */
export async function takePresence(directory: FileSystemDirectoryHandle): Promise<Presence> {
  const file = await directory.getFileHandle(fileName, { create: true })
  const handle = await file.createSyncAccessHandle()
  try {
    const bytes = new Uint8Array(8)
    handle.read(bytes, { at: 0 })
    const state = bytes[0] === created ? created : absent
    prove(handle, state, ((bytes[1] ?? 0) + 1) & 0xff)
    return {
      wasCreated: state === created,
      markCreated: () => write(handle, 0, [created]),
      markAbsent: () => write(handle, 0, [absent]),
      release: () => handle.close(),
    }
  } catch (error) {
    handle.close()
    throw error
  }
}

/** Whether a store is known to live in the folder, without taking it. */
export async function peekPresence(directory: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    const file = await (await directory.getFileHandle(fileName)).getFile()
    return new Uint8Array(await file.slice(0, 1).arrayBuffer())[0] === created
  } catch {
    return false
  }
}

function prove(handle: FileSystemSyncAccessHandle, state: number, count: number): void {
  write(handle, 0, [state, count])
  const back = new Uint8Array(2)
  handle.read(back, { at: 0 })
  if (back[0] !== state || back[1] !== count) {
    throw recallError('STORAGE_UNAVAILABLE', 'OPFS does not give back what was written to it')
  }
}

function write(handle: FileSystemSyncAccessHandle, at: number, bytes: readonly number[]): void {
  handle.write(Uint8Array.from(bytes), { at })
  handle.flush()
}
