/**
 * The posting bridge: FTS5 calls `visit` once for each row of a phrase, and `visit` writes the row's key and counts
 * into a buffer in SQLite's own memory. So no JavaScript runs per row. Compiled by `build-bridge.mjs`.
 * It never writes past the buffer: rows beyond the capacity are only counted, and the caller repeats with a larger buffer.
 * Buffer: 16 bytes of scratch, then all keys (u32), all counts (u16) and all title counts (u8).
 */

// Members of FTS5's Fts5ExtensionApi, bound from SQLite's function table when the module is instantiated.
declare function xRowid(context: usize): i64
declare function xPhraseFirst(context: usize, phrase: i32, iterator: usize, column: usize, offset: usize): i32
declare function xPhraseNext(context: usize, iterator: usize, column: usize, offset: usize): void

const SQLITE_OK: i32 = 0
const SQLITE_RANGE: i32 = 25
const scratchBytes: usize = 16
const countLimit: i32 = 65535
const titleCountLimit: i32 = 255

let iterator: usize = 0
let column: usize = 0
let offset: usize = 0
let keys: usize = 0
let counts: usize = 0
let titleCounts: usize = 0
let capacity: i32 = 0
let rows: i32 = 0

/** Starts a list in a buffer of `scratchBytes + 7 * rowCapacity` bytes, aligned to 8. */
export function begin(buffer: usize, rowCapacity: i32): void {
  iterator = buffer
  column = buffer + 8
  offset = buffer + 12
  keys = buffer + scratchBytes
  counts = keys + ((<usize>rowCapacity) << 2)
  titleCounts = counts + ((<usize>rowCapacity) << 1)
  capacity = rowCapacity
  rows = 0
}

/** Rows visited since `begin`, including rows beyond the capacity. */
export function found(): i32 {
  return rows
}

/** FTS5's xQueryPhrase callback. The queried phrase is the only one of its context, so it is phrase 0. */
export function visit(_api: usize, context: usize, _userData: usize): i32 {
  if (rows >= capacity) {
    rows++
    return SQLITE_OK
  }
  const key = xRowid(context)
  if (key < 0 || key > 0xffffffff) return SQLITE_RANGE
  let count: i32 = 0
  let titleCount: i32 = 0
  let code = xPhraseFirst(context, 0, iterator, column, offset)
  if (code != SQLITE_OK) return code
  // FTS5 ends the walk with column -1.
  for (let at = load<i32>(column); at >= 0; at = load<i32>(column)) {
    count++
    if (at == 0) titleCount++
    xPhraseNext(context, iterator, column, offset)
  }
  store<u32>(keys + ((<usize>rows) << 2), <u32>key)
  store<u16>(counts + ((<usize>rows) << 1), <u16>min(count, countLimit))
  store<u8>(titleCounts + <usize>rows, <u8>min(titleCount, titleCountLimit))
  rows++
  return SQLITE_OK
}
