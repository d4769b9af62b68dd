/** Reads which journal a write-ahead log is, and how many frames it has. Layout: SQLite's "WAL-Index Format" and "The WAL File Format". */
import type { DiskFile } from './disk.ts'

export interface JournalHead {
  /** Random in the first journal of a file; later ones have the next number. */
  readonly salt: number
  /** Frames from the beginning on that belong to this journal. */
  readonly frames: number
}

export const journalHeadBytes = 32
const frameHeadBytes = 24
const magic = 0x377f0682

/** The salt in the first bytes of a journal; null if they are not a header. */
export function saltIn(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  // The last bit is the byte order of its checksums.
  return head.length >= journalHeadBytes && (view.getUint32(0) & ~1) >>> 0 === magic ? view.getUint32(16) : null
}

/** Number of whole frames in a journal of so many bytes. */
export function framesWithin(bytes: number, pageBytes: number): number {
  return Math.max(0, Math.floor((bytes - journalHeadBytes) / (frameHeadBytes + pageBytes)))
}

/** Bytes of a journal with so many frames. */
export function endOfFrames(frames: number, pageBytes: number): number {
  return journalHeadBytes + frames * (frameHeadBytes + pageBytes)
}

/** Null: it has no header, so it holds no commit. */
export function readJournalHead(file: DiskFile): JournalHead | null {
  const head = new Uint8Array(journalHeadBytes)
  if (file.read(head, 0) < journalHeadBytes) return null
  const salt = saltIn(head)
  if (salt === null) return null
  const pageBytes = new DataView(head.buffer).getUint32(8)
  const frame = new Uint8Array(frameHeadBytes)
  const most = framesWithin(file.size(), pageBytes)
  let frames = 0
  while (frames < most) {
    file.read(frame, journalHeadBytes + frames * (frameHeadBytes + pageBytes))
    if (!hasSalts(frame, head)) break
    frames++
  }
  return { salt, frames }
}

/** Whether the frame has both salts of the header. */
function hasSalts(frame: Uint8Array, head: Uint8Array): boolean {
  for (let i = 0; i < 8; i++) if (frame[8 + i] !== head[16 + i]) return false
  return true
}
