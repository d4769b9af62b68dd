/** Encodes the last acknowledged revision, which is saved outside the database: 8 bytes of the number, 8 bytes of checksum. */
import { hasRightChecksum, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'

export const noteBytes = 16

/** `place` is part of the checksum. */
export function encodeRevision(revision: number, place: number): Uint8Array<ArrayBuffer> {
  const note = new Uint8Array(noteBytes)
  new DataView(note.buffer).setFloat64(0, revision, true)
  writePageChecksum(note, place)
  return note
}

/** Returns 0 if the checksum is wrong. */
export function decodeRevision(note: Uint8Array<ArrayBuffer>, place: number): number {
  return hasRightChecksum(note, place) ? new DataView(note.buffer, note.byteOffset).getFloat64(0, true) : 0
}
