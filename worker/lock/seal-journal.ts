/**
 * Seals a write-ahead log frame by frame, at the offsets that SQLite chose. A frame's page number, count and salts stay readable; its checksums,
 * which depend on the page, are encrypted with the page. SQLite writes a frame in parts: they are held back until it is complete, or until a
 * sync. Layout: SQLite's "WAL-mode File Format", §2.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { pageBytes } from '../sqlite/pages/page-file.ts'
import type { Place, RawFile, Seal } from '../sqlite/pages/seal.ts'

const headerBytes = 32
const frameHead = 24
const frameBytes = frameHead + pageBytes
/** Page number, number of pages after the commit, salts. */
const clearFrame = 16
const magic = 0x377f0682

/** A rollback journal may save the first page of a database without tables alone, which has no text: SQLite begins one to create a file. */
const rollbackBytes = 4096 + 4 + pageBytes + 4
/** Number of tables and indexes in the first page. */
const cellsAt = 103

/** A frame that is not complete. */
interface OpenFrame {
  readonly number: number
  readonly bytes: Uint8Array
  readonly nonce: Uint8Array
  filled: number
  written: number
}

export function sealJournal({ capi, wasm }: Sqlite3Static, seal: Seal, file: RawFile): RawFile {
  const scratch = wasm.alloc(frameBytes) as number
  const heap = (address: number, length: number) => wasm.heap8u().subarray(address, address + length)
  const isMagic = (address: number) => (new DataView(heap(address, 4).slice().buffer).getUint32(0) & ~1) >>> 0 === magic
  let isLog = false
  let open: OpenFrame | null = null

  /** Reads a frame to `scratch`. 0: it is there and opened. */
  const readFrame = (number: number): number => {
    const code = file.read(scratch, frameBytes, startOf(number))
    if (code !== 0) return code
    return seal.open(heap(scratch, frameBytes), placeOf(number), clearFrame) ? 0 : capi.SQLITE_IOERR_DATA
  }
  /** Writes bytes of `frame` from `from` to `to`, encrypted. */
  const writeFrame = (number: number, frame: Uint8Array, from = 0, to = frameBytes, nonce = seal.newNonce()) => {
    const unit = heap(scratch, frameBytes)
    unit.set(frame)
    seal.seal(unit, placeOf(number), clearFrame, nonce)
    return file.write(scratch + from, to - from, startOf(number) + BigInt(from))
  }
  /** Whether SQLite wrote only a new head for the frame that is stored, as it does when it replaced a page of this commit. */
  const isNewHead = ({ number, bytes, filled }: OpenFrame): boolean =>
    filled === frameHead &&
    readFrame(number) === 0 &&
    heap(scratch, clearFrame).every((byte, i) => (i >= 4 && i < 8) || byte === bytes[i])
  /** Writes what is held back. The rest of the frame may follow, so its nonce stays. */
  const settle = (): number => {
    if (open === null || open.written === open.filled) return 0
    const { number, bytes, nonce, filled, written } = open
    if (written === 0 && isNewHead(open)) {
      const whole = heap(scratch, frameBytes).slice()
      whole.set(bytes.subarray(0, frameHead))
      open = null
      return writeFrame(number, whole)
    }
    open.written = filled
    return writeFrame(number, bytes, written, filled, nonce)
  }
  const writePart = (source: number, number: number, from: number, to: number): number => {
    const part = heap(source, to - from)
    if (from === 0 && to === frameBytes) {
      if (open?.number === number) open = null
      return writeFrame(number, part)
    }
    if (open?.number === number && open.filled === from) {
      open.bytes.set(part, from)
      open.filled = to
      if (to < frameBytes) return 0
      const { bytes, written, nonce } = open
      open = null
      return writeFrame(number, bytes, written, frameBytes, nonce)
    }
    // SQLite begins a frame again after a failed write.
    const code = open?.number === number && from === 0 ? 0 : settle()
    open = null
    if (code !== 0) return code
    if (from === 0) {
      const bytes = new Uint8Array(frameBytes)
      bytes.set(heap(source, to))
      open = { number, bytes, nonce: seal.newNonce(), filled: to, written: 0 }
      return 0
    }
    const read = readFrame(number)
    if (read !== 0) return read
    const whole = heap(scratch, frameBytes).slice()
    whole.set(heap(source, to - from), from)
    return writeFrame(number, whole)
  }

  /** Seals whole frames where they are. */
  const writeFrames = (source: number, number: number, count: number): number => {
    for (let i = 0; i < count; i++)
      seal.seal(heap(source + i * frameBytes, frameBytes), placeOf(number + i), clearFrame)
    if (open !== null && open.number >= number && open.number < number + count) open = null
    return settle() || file.write(source, count * frameBytes, startOf(number))
  }
  const write = (source: number, length: number, offset: bigint, isOwn: boolean): number => {
    let at = Number(offset)
    if (at === 0 && length >= 4) isLog = isMagic(source)
    if (!isLog) {
      const hasText = length > cellsAt + 2 && at > 0 && heap(source + cellsAt, 2).some((byte) => byte !== 0)
      return hasText || at + length > rollbackBytes ? capi.SQLITE_IOERR_WRITE : file.write(source, length, offset)
    }
    const end = at + length
    if (at < headerBytes) {
      const code = file.write(source, Math.min(length, headerBytes - at), offset)
      if (code !== 0) return code
      at = headerBytes
    }
    while (at < end) {
      const number = frameAt(at)
      const from = at - Number(startOf(number))
      const count = isOwn && from === 0 ? Math.floor((end - at) / frameBytes) : 0
      const to = count > 0 ? count * frameBytes : Math.min(frameBytes, from + end - at)
      const address = source + at - Number(offset)
      const code = count > 0 ? writeFrames(address, number, count) : writePart(address, number, from, to)
      if (code !== 0) return code
      at += to - from
    }
    return 0
  }

  return {
    read(target, length, offset) {
      const at = Number(offset)
      if (at + length <= headerBytes || !isLog) {
        const code = file.read(target, length, offset)
        if (at === 0 && length >= 4 && code === 0) isLog = isMagic(target)
        return code
      }
      const number = frameAt(at)
      const from = at - Number(startOf(number))
      if (at < headerBytes || from + length > frameBytes) return capi.SQLITE_IOERR_READ
      if (open?.number === number) {
        heap(target, length).set(open.bytes.subarray(from, from + length))
        return from + length <= open.filled ? 0 : capi.SQLITE_IOERR_SHORT_READ
      }
      const code = readFrame(number)
      // A frame that a power loss cut off ends the journal: its checksum must not fit.
      if (code === capi.SQLITE_IOERR_DATA && length === frameBytes) heap(scratch, frameHead).fill(0xff, clearFrame)
      else if (code !== 0) {
        if (code === capi.SQLITE_IOERR_SHORT_READ) heap(target, length).fill(0)
        return code
      }
      wasm.heap8u().copyWithin(target, scratch + from, scratch + from + length)
      return 0
    },
    write: (source, length, offset) => write(source, length, offset, false),
    writeOwn: (source, length, offset) => write(source, length, offset, true),
    settle,
    free: () => wasm.dealloc(scratch as never),
  }
}

function frameAt(offset: number): number {
  return Math.floor((offset - headerBytes) / frameBytes)
}

function startOf(number: number): bigint {
  return BigInt(headerBytes + number * frameBytes)
}

function placeOf(number: number): Place {
  return { kind: 'frame', number }
}
