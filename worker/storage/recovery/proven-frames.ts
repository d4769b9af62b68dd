/**
 * Finds the valid frames of a write-ahead log. The checksum of a frame continues the one of the frame before. Frames after the last
 * complete commit do not count. Layout: SQLite's "WAL-mode File Format", §2.
 */
import { pageBytes } from '../../sqlite/pages/page-file.ts'

/** Fills `target` from the offset; returns the number of bytes read. */
export type ReadAt = (target: Uint8Array, offset: number) => number

export interface ProvenFrames {
  /** Pages of the file after the last commit; 0: no commit is proven. */
  readonly count: number
  /** Offset in the log of the last proven image of a page, by page number from 0. */
  readonly places: ReadonlyMap<number, number>
  /** Offsets of frames after the damage. Each is individually valid, so it was once part of the database, but the order is not proven. */
  readonly beyond: ReadonlyMap<number, number>
}

export function readFrames(read: ReadAt, size: number): ProvenFrames {
  const none: ProvenFrames = { count: 0, places: new Map(), beyond: new Map() }
  const header = new Uint8Array(headerBytes)
  if (read(header, 0) < headerBytes) return none
  const view = new DataView(header.buffer)
  const magic = view.getUint32(0)
  if ((magic & ~1) >>> 0 !== magicNumber || view.getUint32(8) !== pageBytes) return none
  const isLittle = (magic & 1) === 0
  const sum = [view.getUint32(24), view.getUint32(28)] as const
  if (!isSame(extendSum([0, 0], header.subarray(0, 24), isLittle), sum)) return none

  const places = new Map<number, number>()
  const beyond = new Map<number, number>()
  let pending = new Map<number, number>()
  let count = 0
  let isWhole = true
  let before: Sum = sum
  const frame = new Uint8Array(frameBytes)
  const fields = new DataView(frame.buffer)
  for (let at = headerBytes; at + frameBytes <= size; at += frameBytes) {
    if (read(frame, at) < frameBytes) break
    const own = [fields.getUint32(16), fields.getUint32(20)] as const
    const isOurs = fields.getUint32(8) === view.getUint32(16) && fields.getUint32(12) === view.getUint32(20)
    const expected = extendSum(extendSum(before, frame.subarray(0, 8), isLittle), frame.subarray(frameHead), isLittle)
    const isProven = isOurs && isSame(expected, own)
    before = own
    if (!isProven) isWhole = false
    if (!isProven) continue
    const number = fields.getUint32(0) - 1
    if (!isWhole) beyond.set(number, at + frameHead)
    else {
      pending.set(number, at + frameHead)
      if (fields.getUint32(4) === 0) continue
      count = fields.getUint32(4)
      for (const [page, place] of pending) places.set(page, place)
      pending = new Map()
    }
  }
  return { count, places, beyond }
}

type Sum = readonly [number, number]

function isSame(a: Sum, b: Sum): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

/** Continues a checksum over words in the byte order that the log declares. */
function extendSum([first, second]: Sum, bytes: Uint8Array, isLittle: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0
  }
  return [a, b]
}

/** The lowest bit says in which byte order checksums read words. */
export const magicNumber = 0x377f0682
const headerBytes = 32
const frameHead = 24
const frameBytes = frameHead + pageBytes
