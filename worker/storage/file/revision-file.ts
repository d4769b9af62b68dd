/** Saves the last acknowledged revision in a small file next to the database while the store is open, with the tokens of its owners. */
import { hasRightChecksum, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'
import { decodeRevision, noteBytes as oldBytes } from '../common/revision-note.ts'
import type { SavedRevision } from './check-parts.ts'
import type { Disk, DiskFile } from './disk.ts'

export interface RevisionFile {
  /** Not synced, so that it is fast. After a power loss an older revision may be read, never one that was not durable. */
  note(revision: number): void
  /** A new owner, durably. `before`: the token in the file's header, which stays valid until the header has the new one; null: the file was closed. */
  take(token: bigint, before: bigint | null, latest: number): void
  /** Writes what was noted last once more, as `note`. */
  write(): void
  /** Undefined before `take`. */
  file(): DiskFile | undefined
  close(): void
}

/** A revision, two tokens, a checksum. */
export const revisionBytes = 32

export function openRevisionFile(disk: Disk, path: string): RevisionFile {
  let file: DiskFile | undefined
  let latest = 0
  let tokens: readonly [bigint, bigint] = [0n, 0n]
  const write = () => {
    try {
      file?.write(encode(latest, tokens), 0)
    } catch {
      // Acknowledged changes are durable without it.
    }
  }
  return {
    note(revision) {
      if (revision === latest) return
      latest = revision
      write()
    },
    take(token, before, saved) {
      file ??= disk.open(path, true)
      latest = saved
      tokens = [token, before ?? 0n]
      file.write(encode(latest, tokens), 0)
      file.sync()
    },
    write,
    file: () => file,
    close: () => file?.close(),
  }
}

/** Null: there is none, or it is damaged. */
export function readRevision(disk: Disk, path: string): SavedRevision | null {
  if (!disk.exists(path)) return null
  const file = disk.open(path, false)
  try {
    const bytes = new Uint8Array(revisionBytes)
    const length = file.read(bytes, 0)
    return length < revisionBytes ? decodeOld(bytes.slice(0, oldBytes), length) : decode(bytes)
  } finally {
    file.close()
  }
}

/** A revision with the token of no opening. */
export function revisionOfAnotherStore(): Uint8Array {
  return encode(0, [0n, 0n])
}

function encode(revision: number, [own, before]: readonly [bigint, bigint]): Uint8Array<ArrayBuffer> {
  const note = new Uint8Array(revisionBytes)
  const view = new DataView(note.buffer)
  view.setFloat64(0, revision, true)
  view.setBigUint64(8, own)
  view.setBigUint64(16, before)
  writePageChecksum(note, 0)
  return note
}

function decode(note: Uint8Array<ArrayBuffer>): SavedRevision | null {
  if (!hasRightChecksum(note, 0)) return null
  const view = new DataView(note.buffer)
  const tokens = [view.getBigUint64(8), view.getBigUint64(16)].filter((token) => token !== 0n)
  return { latest: view.getFloat64(0, true), tokens }
}

/** The note of an older release, or a file that was only created. */
function decodeOld(note: Uint8Array<ArrayBuffer>, length: number): SavedRevision {
  return { latest: length < oldBytes ? 0 : decodeRevision(note, 0), tokens: null }
}
