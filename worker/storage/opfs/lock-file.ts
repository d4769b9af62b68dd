/**
 * The lock file of a store, next to its database. Its handle is held while the store is open, which excludes other tabs. It says whether
 * a store was created here, and its last acknowledged revision. Taking it writes and reads back, which proves that OPFS works. It says
 * that a store exists only after the first page is on disk.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { createdMark, lockFileName } from '../../../src/protocol/store-directory.ts'
import { type Seal, sealBytes } from '../../sqlite/pages/seal.ts'
import { decodeRevision, encodeRevision, noteBytes } from '../common/revision-note.ts'

export interface LockFile {
  /** Whether a database was created here earlier, so that it must still exist. */
  readonly wasCreated: boolean
  markCreated(): void
  markAbsent(): void
  /** The revision last saved; 0 if there is none or it cannot be read. */
  noted(): number
  /** Not flushed, so that it is fast. After a power loss an older revision may be read, never one that was not durable. */
  note(revision: number): void
  /** Reads and saves the revision encrypted from now on. */
  sealWith(seal: Seal): void
  /** Saves the revision once more, flushed: encrypted with the newest key. */
  renew(): void
  release(): void
}

const absent = 0

/** Rejects with the browser's own error if the file is held, and with STORAGE_UNAVAILABLE if it reads other data than it wrote. */
export async function takeLockFile(directory: FileSystemDirectoryHandle): Promise<LockFile> {
  const file = await directory.getFileHandle(lockFileName, { create: true })
  const handle = await file.createSyncAccessHandle()
  try {
    const bytes = new Uint8Array(8)
    handle.read(bytes, { at: 0 })
    const state = bytes[0] === createdMark ? createdMark : absent
    prove(handle, state, ((bytes[1] ?? 0) + 1) & 0xff)
    let seal: Seal | undefined
    let latest = state === createdMark ? readNote(handle) : 0
    const mark = (made: number) => {
      // The revision of an earlier store must not count for this one.
      handle.write(new Uint8Array(noteBytes + sealBytes), { at: noteAt })
      latest = 0
      write(handle, 0, [made])
    }
    return {
      wasCreated: state === createdMark,
      markCreated: () => mark(createdMark),
      markAbsent: () => mark(absent),
      noted: () => latest,
      note(revision) {
        if (revision === latest) return
        latest = revision
        try {
          handle.write(encodeNote(revision, seal), { at: noteAt })
        } catch {
          // Acknowledged changes are durable without it.
        }
      },
      sealWith(given) {
        seal = given
        latest = state === createdMark ? readNote(handle, seal) : 0
      },
      renew() {
        handle.write(encodeNote(latest, seal), { at: noteAt })
        handle.flush()
      },
      release: () => handle.close(),
    }
  } catch (error) {
    handle.close()
    throw error
  }
}

/** Whether a store was created in the folder, without taking the lock. */
export async function peekLockFile(directory: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    const file = await (await directory.getFileHandle(lockFileName)).getFile()
    return new Uint8Array(await file.slice(0, 1).arrayBuffer())[0] === createdMark
  } catch {
    return false
  }
}

/**
 * Takes the lock without writing. `noted`: the revision last saved, 0 if there is none or it cannot be read. Null without a lock
 * file. Rejects with the browser's own error if the file is held.
 */
export async function holdLockFile(
  directory: FileSystemDirectoryHandle,
): Promise<Pick<LockFile, 'noted' | 'release'> | null> {
  let file: FileSystemFileHandle
  try {
    file = await directory.getFileHandle(lockFileName)
  } catch {
    return null
  }
  const handle = await file.createSyncAccessHandle()
  const noted = readNote(handle)
  return { noted: () => noted, release: () => handle.close() }
}

function prove(handle: FileSystemSyncAccessHandle, state: number, count: number): void {
  write(handle, 0, [state, count])
  const back = new Uint8Array(2)
  handle.read(back, { at: 0 })
  if (back[0] !== state || back[1] !== count) {
    throw recallError('STORAGE_UNAVAILABLE', 'OPFS returned different data than was written', {
      hint: 'Try again. If it fails again, reopen the store.',
    })
  }
}

const noteAt = 8

/** 0 if there is none, or if it cannot be read. */
function readNote(handle: FileSystemSyncAccessHandle, seal?: Seal): number {
  const note = new Uint8Array(noteBytes + (seal === undefined ? 0 : sealBytes))
  if (handle.read(note, { at: noteAt }) < note.length) return 0
  if (seal !== undefined && !seal.open(note, place, 0)) return 0
  return decodeRevision(note.slice(0, noteBytes), noteAt)
}

function encodeNote(revision: number, seal: Seal | undefined): Uint8Array<ArrayBuffer> {
  const note = encodeRevision(revision, noteAt)
  if (seal === undefined) return note
  const unit = new Uint8Array(noteBytes + sealBytes)
  unit.set(note)
  seal.seal(unit, place, 0)
  return unit
}

const place = { kind: 'revision', number: 0 } as const

function write(handle: FileSystemSyncAccessHandle, at: number, bytes: readonly number[]): void {
  handle.write(Uint8Array.from(bytes), { at })
  handle.flush()
}
