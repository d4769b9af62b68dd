/**
 * Combines adjacent writes to a file. A call of OPFS costs far more than copying a page, and SQLite makes two calls for each page of its
 * journal. Buffered bytes reach the file in the order in which SQLite wrote them, and before every sync. So a crash leaves no state that
 * direct writes could not leave. If a buffered write fails, only unsynced bytes are lost. With `synchronous=FULL` they are not part of a
 * commit, and the sync of their commit fails.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { pageBytes } from './page-file.ts'
import type { RawFile } from './seal.ts'

/** Methods return an SQLite result code, 0 for success, unless stated otherwise. */
export interface CombinedWrites {
  /** Buffers the bytes at `source`, or writes them. Returns the error of an earlier buffered write if writing that fails. */
  write(source: number, length: number, offset: number): number
  /** Writes the buffered bytes. They are dropped if that fails: SQLite rolls back after the error. */
  flush(): number
  /** Must be called before each sync of the file. Writes the buffered bytes like `flush`. */
  sync(): number
  /** Fills `target` with the file's bytes, including buffered ones. */
  read(target: number, length: number, offset: number): number
  /** Returns the offset behind the last buffered byte, or 0 if nothing is buffered. */
  end(): number
  /** Frees the memory and drops buffered bytes. */
  free(): void
}

/** Size of the buffer in bytes: one call for about 32 pages. */
export const combinedBytes = 256 * 1024

/** Size in bytes of a journal frame: a header and a page. SQLite reads both at once only in a commit and in recovery. */
const frameBytes = 24 + pageBytes

/**
 * After a commit's sync, SQLite may write the rest of a frame that the sync did not need, in up to two writes (`walWriteToLog` in
 * wal.c). They belong to the commit, so a later failure must not drop them. They are written directly.
 */
const writesAfterSync = 2

/** `file` has the wrapped methods, encrypted if the store is locked. Writes directly if there is no memory for the buffer. */
export function createCombinedWrites({ capi, wasm }: Sqlite3Static, file: RawFile): CombinedWrites {
  const writeOwn = file.writeOwn ?? file.write
  let direct = writesAfterSync
  let buffer = 0
  let start = 0
  let held = 0
  /** The journal frame that was read last, and its offset; −1 if it may have changed since. */
  const frame = new Uint8Array(frameBytes)
  let frameAt = -1

  const hasBuffer = (): boolean => {
    // Allocated at the first write, because a reader needs none. 0 if SQLite has no memory left.
    if (buffer === 0) buffer = wasm.alloc.impl(combinedBytes) as number
    return buffer !== 0
  }
  const flush = (): number => {
    frameAt = -1
    if (held === 0) return 0
    const length = held
    held = 0
    return writeOwn(buffer, length, BigInt(start))
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
      // A commit may rewrite the headers of successive frames. Written with their pages, they are adjacent.
      const isHeader = offset === frameAt && length < frameBytes && direct === 0
      const whole = isHeader ? frameBytes : length
      if (!isHeader && offset < frameAt + frameBytes && offset + length > frameAt) frameAt = -1
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
      if (isHeader) {
        wasm.heap8u().set(frame.subarray(length), buffer + held + length)
        frameAt = -1
      }
      held += whole
      return 0
    },
    flush,
    sync() {
      direct = writesAfterSync
      return flush() || file.settle?.() || 0
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
      file.free?.()
    },
  }
}

/** Returns an SQLite result code. */
type Transfer<Offset> = (address: number, length: number, offset: Offset) => number
