/**
 * The note of the owner, in the 20 bytes of the file's header that SQLite reserves and keeps zero ("Database File Format", §1.3, offset 72). It
 * says who may write the file, and which journal continues it. Zeros: the file is closed and complete without a journal.
 */

export interface OwnerNote {
  /** Random, of one opening of the file; not 0. */
  readonly token: bigint
  /** The first salt of the journal whose commits were last copied to the file ("WAL-Index Format", §1: it grows by one with each new journal). */
  readonly salt: number
  /** Number of frames that the journal had then. */
  readonly frames: number
  /** False while commits are being copied: the file is then complete only with this journal. */
  readonly isComplete: boolean
}

export const noteAt = 72
export const noteBytes = 20

/** Null: closed. */
export function encodeNote(note: OwnerNote | null): Uint8Array {
  const bytes = new Uint8Array(noteBytes)
  if (note === null) return bytes
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, note.token)
  view.setUint32(8, note.salt)
  view.setUint32(12, note.frames * 2 + Number(note.isComplete))
  view.setUint32(16, checkOf(bytes))
  return bytes
}

/** Null: closed; undefined: damaged. */
export function decodeNote(bytes: Uint8Array): OwnerNote | null | undefined {
  if (bytes.every((byte) => byte === 0)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const counted = view.getUint32(12)
  if (view.getUint32(16) !== checkOf(bytes)) return undefined
  return {
    token: view.getBigUint64(0),
    salt: view.getUint32(8),
    frames: Math.floor(counted / 2),
    isComplete: counted % 2 === 1,
  }
}

/** Not 0. */
export function newToken(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  bytes[0] = bytes[0]! | 1
  return new DataView(bytes.buffer).getBigUint64(0)
}

/** FNV-1a over all bytes but the last four, which hold it. Never 0. */
function checkOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes.subarray(0, noteBytes - 4)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0 || 1
}
