/**
 * The frames of a write-ahead log that prove themselves: each is under a checksum that goes on from the frame before, and what
 * comes after the last whole commit counts for nothing. Layout: SQLite's "WAL-mode File Format", §2.
 */
import { pageBytes } from '../../sqlite/pages/page-file.ts'

/** Fills `target` from the offset on; returns the bytes that were there. */
export type ReadAt = (target: Uint8Array, offset: number) => number

export interface ProvenFrames {
  /** Pages of the file after the last commit; 0: none is proven. */
  readonly count: number
  /** Where in the log the last proven image of a page stands, by page number from 0. */
  readonly places: ReadonlyMap<number, number>
  /** The same of frames behind the damage, each proven by the one before it alone: what has been in a database, in whatever order. */
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
  if (!isSame(summed([0, 0], header.subarray(0, 24), isLittle), sum)) return none

  const places = new Map<number, number>()
  const beyond = new Map<number, number>()
  let pending = new Map<number, number>()
  let count = 0
  let isWhole = true
  let before: Sum = sum
  const frame = new Uint8Array(frameBytes)
  const told = new DataView(frame.buffer)
  for (let at = headerBytes; at + frameBytes <= size; at += frameBytes) {
    if (read(frame, at) < frameBytes) break
    const own = [told.getUint32(16), told.getUint32(20)] as const
    const isOurs = told.getUint32(8) === view.getUint32(16) && told.getUint32(12) === view.getUint32(20)
    const expected = summed(summed(before, frame.subarray(0, 8), isLittle), frame.subarray(frameHead), isLittle)
    const isProven = isOurs && isSame(expected, own)
    before = own
    if (!isProven) isWhole = false
    if (!isProven) continue
    const number = told.getUint32(0) - 1
    if (!isWhole) beyond.set(number, at + frameHead)
    else {
      pending.set(number, at + frameHead)
      if (told.getUint32(4) === 0) continue
      count = told.getUint32(4)
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

/** Over words in the order of bytes that the log names. */
function summed([first, second]: Sum, bytes: Uint8Array, isLittle: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0
  }
  return [a, b]
}

/** The last bit says in which order checksums take the bytes of a word. */
export const magicNumber = 0x377f0682
const headerBytes = 32
const frameHead = 24
const frameBytes = frameHead + pageBytes
