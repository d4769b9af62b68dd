/**
 * Combines writes that follow one another in a file: a call of OPFS costs far more than the copying of a page, and SQLite makes
 * two for each page of its journal. What waits here reaches the file in the order in which SQLite wrote it, and before every
 * sync, so a crash finds no state that it could not find without this. Where a write fails late, only what no sync covered yet
 * is lost: with `synchronous=FULL` that was never committed, and the call that SQLite needs for the commit fails.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { pageBytes } from './page-file.ts'

export interface CombinedWrites {
  /** Keeps the bytes at `source`, or writes them. The result code is 0, or that of the write that failed. */
  write(source: number, length: number, offset: number): number
  /** Writes what waits. Where that fails nothing waits any more: SQLite rolls back what it was told has failed. */
  flush(): number
  /** Told before a sync: writes what waits, as `flush` does. */
  sync(): number
  /** Fills `target` as the file would, if nothing waited. */
  read(target: number, length: number, offset: number): number
  /** Where the bytes that wait end in the file; 0 where none do. */
  end(): number
  /** Gives the memory back. What waits is lost. */
  free(): void
}

/** Bytes that wait at most: a call for each 32 pages. */
export const combinedBytes = 256 * 1024

/** A page of the journal and its head. Only a commit, and opening after a crash, read both at once. */
const frameBytes = 24 + pageBytes

/**
 * A commit can end with the second half of a page that the sync before it did not need, in up to two writes (walWriteToLog in SQLite's
 * wal.c). They are part of a commit already, so they may not be lost with what comes after them.
 */
const writesAfterSync = 2

/** `file` is the file itself. Without memory for it every write goes to the file at once. */
export function createCombinedWrites(
  { capi, wasm }: Sqlite3Static,
  file: { readonly read: Transfer<bigint>; readonly write: Transfer<bigint> },
): CombinedWrites {
  let direct = writesAfterSync
  let buffer = 0
  let start = 0
  let held = 0
  /** A frame of the journal as it was read last; `frameAt` −1: it may have changed since. */
  const frame = new Uint8Array(frameBytes)
  let frameAt = -1

  const hasBuffer = (): boolean => {
    // Only who writes needs it. 0 where SQLite's memory is used up.
    if (buffer === 0) buffer = wasm.alloc.impl(combinedBytes) as number
    return buffer !== 0
  }
  const flush = (): number => {
    if (held === 0) return 0
    const length = held
    held = 0
    return file.write(buffer, length, BigInt(start))
  }

  const readLatest: Transfer<number> = (target, length, offset) => {
    const from = Math.max(offset, start)
    const to = Math.min(offset + length, start + held)
    const isWhole = from === offset && to === offset + length
    const code = isWhole ? 0 : file.read(target, length, BigInt(offset))
    if (from >= to || (code !== 0 && code !== capi.SQLITE_IOERR_SHORT_READ)) return code
    wasm.heap8u().copyWithin(target + from - offset, buffer + from - start, buffer + to - start)
    return to === offset + length ? 0 : code
  }

  return {
    write(source, length, offset) {
      // A commit rewrites the heads of frames, one after another. With the page that follows each they are one piece.
      const isHead = offset === frameAt && length < frameBytes && direct === 0
      const whole = isHead ? frameBytes : length
      if (!isHead && offset < frameAt + frameBytes && offset + length > frameAt) frameAt = -1
      if (held > 0 && (offset !== start + held || held + whole > combinedBytes)) {
        const code = flush()
        if (code !== 0) return code
      }
      if (direct > 0 || length > combinedBytes || !hasBuffer()) {
        direct = Math.max(0, direct - 1)
        return file.write(source, length, BigInt(offset))
      }
      if (held === 0) start = offset
      wasm.heap8u().copyWithin(buffer + held, source, source + length)
      if (isHead) {
        wasm.heap8u().set(frame.subarray(length), buffer + held + length)
        frameAt = -1
      }
      held += whole
      return 0
    },
    flush,
    sync() {
      direct = writesAfterSync
      return flush()
    },
    read(target, length, offset) {
      const code = readLatest(target, length, offset)
      if (code === 0 && length === frameBytes) {
        frame.set(wasm.heap8u().subarray(target, target + length))
        frameAt = offset
      }
      return code
    },
    end: () => (held === 0 ? 0 : start + held),
    free() {
      if (buffer !== 0) wasm.dealloc(buffer as never)
      buffer = 0
      held = 0
    },
  }
}

/** The result code of SQLite. */
type Transfer<Offset> = (address: number, length: number, offset: Offset) => number
