/**
 * The posting bridge: FTS5 calls `visit` once for each row of a phrase, and `visit` writes the row's key and counts
 * into a buffer in SQLite's own memory. So no JavaScript runs per row. Compiled by `build-bridge.mjs`.
 * It never writes past the buffer: rows beyond the capacity are only counted, and the caller repeats with a larger buffer.
 * Buffer: 16 bytes of scratch, then all keys (u32), all counts (u16) and all title counts (u8).
 * Of long records each occurrence is written, too, into a second buffer: its row (u32), and its column and offset in words (u32).
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
/** A body has at most a million words, and the index few columns. */
const columnShift: u32 = 24
const offsetLimit: u32 = 0xffffff

let iterator: usize = 0
let column: usize = 0
let offset: usize = 0
let keys: usize = 0
let counts: usize = 0
let titleCounts: usize = 0
let capacity: i32 = 0
let rows: i32 = 0
/** A bit for each key, 1 for a long record. */
let longKeys: usize = 0
let longKeyCount: u32 = 0
let places: usize = 0
let placeCapacity: i32 = 0
let placeCount: i32 = 0

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

/** To be called after `begin`: where the occurrences in long records are written. Keys from `keyCount` on are not long. */
export function beginPlaces(buffer: usize, capacityOfPlaces: i32, keyBits: usize, keyCount: u32): void {
  places = buffer
  placeCapacity = capacityOfPlaces
  placeCount = 0
  longKeys = keyBits
  longKeyCount = keyCount
}

/** Occurrences in long records since `beginPlaces`, including those beyond the capacity. */
export function foundPlaces(): i32 {
  return placeCount
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
  const isLong = <u32>key < longKeyCount && (<u32>load<u8>(longKeys + (<usize>key >> 3)) >> (<u32>key & 7)) & 1
  let count: i32 = 0
  let titleCount: i32 = 0
  let code = xPhraseFirst(context, 0, iterator, column, offset)
  if (code != SQLITE_OK) return code
  // FTS5 ends the walk with column -1.
  for (let at = load<i32>(column); at >= 0; at = load<i32>(column)) {
    count++
    if (at == 0) titleCount++
    if (isLong) {
      if (placeCount < placeCapacity) {
        const to = places + ((<usize>placeCount) << 3)
        store<u32>(to, <u32>rows)
        store<u32>(to + 4, ((<u32>at) << columnShift) | min(<u32>load<i32>(offset), offsetLimit))
      }
      placeCount++
    }
    xPhraseNext(context, iterator, column, offset)
  }
  store<u32>(keys + ((<usize>rows) << 2), <u32>key)
  store<u16>(counts + ((<usize>rows) << 1), <u16>min(count, countLimit))
  store<u8>(titleCounts + <usize>rows, <u8>min(titleCount, titleCountLimit))
  rows++
  return SQLITE_OK
}
