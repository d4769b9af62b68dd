/**
 * The SIMD kernel (AssemblyScript): one pass over int8 rows estimates cosines, takes the best chunk of each record, keeps the
 * best records and sums the estimates of all records. Every estimate is rounded once to 30 fractional bits. All later steps
 * are integer arithmetic, so no sum, order or bound depends on the engine or on the order of the rows.
 * The kernel allocates no memory: the host passes every address. `../README.md` shows the layout.
 */

import { blockRows, blockShift } from './blocks'
import { dot } from './dot'
import { entryBytes, estimateAt, placeEntry, select, sort } from './entries'

export { blockRows, unpack } from './blocks'

/** A ranking pass needs room for `rankingRoom` × `depth` entries. */
export const rankingRoom: i32 = 4

/** The first address that the host may use. */
export const freeFrom: usize = __heap_base

/** Owner of a row that belongs to no record. */
const noOwner: u32 = u32.MAX_VALUE

/** What `keep` does with a record: rank it, or list it if it ties with the cut. In any other mode no record is kept. */
const modeRank: i32 = 0
const modeTied: i32 = 1

/** Adding this to a float64 leaves the rounded integer in its low bits. Cheaper than rounding and converting. */
const roundingMagic: f64 = 6755399441055744.0

let table: usize = 0
let stride: usize = 0
let mode: i32 = modeRank
let query: usize = 0
let factor: f64 = 0
let allowed: usize = 0
let out: usize = 0
/** Eight bytes a row. The first row of each record that a pass compares gets its estimate (i32) and its margin (i32). */
let notes: usize = 0
let depth: i32 = 0
let cut: i32 = 0
/** Records with an estimate up to this are not kept. */
let floor: i32 = i32.MIN_VALUE

/** The record whose rows are being folded: its key, where it is noted, best estimate, best estimate + error. */
let owner: u32 = noOwner
let noted: usize = 0
let best: i32 = 0
let bound: i64 = 0

/** Entries (or, for ties, keys) written so far. */
export let kept: i32 = 0
export let scanned: i32 = 0
export let matched: i32 = 0
/** Σ estimate and Σ estimate² over records; the squares in two halves so that no sum can overflow. */
export let sum: i64 = 0
export let squaresHigh: i64 = 0
export let squaresLow: i64 = 0
/** Largest estimate, and largest estimate + margin, of the records that were not kept. */
export let lostBest: i32 = i32.MIN_VALUE
export let lostUpper: i64 = i64.MIN_VALUE
export let tiedMargin: i32 = 0

/** Sets the table of block pointers and the bytes of a padded row. */
export function attach(blockTable: usize, rowBytes: usize): void {
  table = blockTable
  stride = rowBytes
}

/** Sets the quantised query: estimate = dot · scale · factor, in units of 2^-30. */
export function ask(queryPointer: usize, estimateFactor: f64): void {
  query = queryPointer
  factor = estimateFactor
}

/** Starts a pass. `allowedBits`: bitmap of allowed keys, 0 for all; `outDepth`: entries to keep; `cutEstimate`: of mode `tied`. */
export function begin(
  passMode: i32,
  allowedBits: usize,
  outPointer: usize,
  outDepth: i32,
  cutEstimate: i32,
  notesPointer: usize,
): void {
  mode = passMode
  allowed = allowedBits
  out = outPointer
  depth = outDepth
  cut = cutEstimate
  notes = notesPointer
  floor = mode == modeTied ? cut - 1 : mode == modeRank ? i32.MIN_VALUE : i32.MAX_VALUE
  owner = noOwner
  kept = scanned = matched = 0
  sum = squaresHigh = squaresLow = 0
  lostBest = i32.MIN_VALUE
  lostUpper = i64.MIN_VALUE
  tiedMargin = 0
}

/**
 * Scans the first `rows` rows in order. Rows of one record are adjacent; they may span two blocks. `ahead`: how many rows are
 * read before they are multiplied, so that waiting for memory and arithmetic overlap; 0: none. It changes no number.
 */
export function scan(rows: i32, ahead: i32): void {
  const step = ahead > 0 ? ahead : blockRows
  for (let first: i32 = 0; first < rows; first += blockRows) {
    const block = blockOf(first)
    const head = block + <usize>blockRows * stride
    const count = min(rows - first, blockRows)
    for (let from: i32 = 0; from < count; from += step) {
      const end = min(from + step, count)
      const codes = block + <usize>from * stride
      if (ahead > 0) readAhead(codes, block + <usize>end * stride)
      walk(first + from, codes, head + ((<usize>from) << 2), head + ((<usize>end) << 2))
    }
  }
  close()
}

/** Reads one word of each cache line. */
function readAhead(from: usize, end: usize): void {
  for (; from < end; from += 64) load<u32>(from)
}

/** Scans `count` records, listed by their first rows. `rows` ends the last record. */
export function gather(list: usize, count: i32, rows: i32): void {
  const end = list + ((<usize>count) << 2)
  while (list < end) {
    const stop = min(end, list + touchedAhead)
    touch(list, stop)
    for (; list < stop; list += 4) gatherOne(load<i32>(list), rows)
  }
}

/** Bytes of the row list that are prefetched together. */
const touchedAhead: usize = 64

/** Prefetches scattered rows: loads that do not depend on each other overlap in the memory system. */
function touch(list: usize, end: usize): void {
  for (; list < end; list += 4) {
    const row = load<i32>(list)
    const block = blockOf(row)
    const slot = <usize>(row & (blockRows - 1))
    const head = block + <usize>blockRows * stride + (slot << 2)
    load<u32>(head)
    load<u32>(head + ((<usize>blockRows) << 2))
    load<u32>(head + ((<usize>blockRows) << 3))
    const codes = block + slot * stride
    for (let at: usize = 0; at < stride; at += 64) load<u32>(codes + at)
  }
}

function gatherOne(row: i32, rows: i32): void {
  for (let again = true; again; ) {
    const block = blockOf(row)
    const slot = <usize>(row & (blockRows - 1))
    const heads = block + <usize>blockRows * stride
    const head = heads + (slot << 2)
    const last = min(heads + ((<usize>blockRows) << 2), head + ((<usize>(rows - row)) << 2))
    const key = load<u32>(head)
    let stop = head
    while (stop < last && load<u32>(stop) == key) stop += 4
    walk(row, block + slot * stride, head, stop)
    row += <i32>((stop - head) >> 2)
    again = stop == last && row < rows && load<u32>(blockOf(row) + <usize>blockRows * stride) == key
  }
  close()
}

/** Reduces the entries of a ranking pass to the best `depth` and sorts them, best first. */
export function finish(): void {
  prune()
  if (kept > 1) sort(out, out + ((<usize>(kept - 1)) << 4))
}

function blockOf(row: i32): usize {
  return load<u32>(table + ((<usize>(row >> blockShift)) << 2)) as usize
}

/**
 * Estimates rows of one block, from `row` on, and counts each record when the next record begins. `head` points at a row's owner; the
 * scales follow the owners, the errors follow the scales. The loop changes local variables only: globals would be written back in
 * each iteration.
 */
function walk(row: i32, codes: usize, head: usize, end: usize): void {
  const bits = allowed
  const step = stride
  const asked = query
  const by = factor
  let least = floor
  let note = notes + ((<usize>row) << 3)
  let key = owner
  let own = noted
  let estimate = best
  let upper = bound
  let rows: i32 = 0
  let records: i32 = 0
  let total: i64 = 0
  let high: i64 = 0
  let low: i64 = 0
  let dropped: i32 = i32.MIN_VALUE
  let ceiling: i64 = i64.MIN_VALUE
  for (; head < end; codes += step, head += 4, note += 8) {
    const rowKey = load<u32>(head)
    if (rowKey == noOwner) continue
    if (bits && !((load<u32>(bits + ((<usize>(rowKey >> 5)) << 2)) >> (rowKey & 31)) & 1)) continue
    const product = <f64>dot(codes, asked, step)
    const scale = <f64>load<f32>(head + ((<usize>blockRows) << 2))
    const rowEstimate = <i32>reinterpret<i64>(product * (scale * by) + roundingMagic)
    const rowUpper = <i64>rowEstimate + <i64>load<i32>(head + ((<usize>blockRows) << 3))
    rows++
    if (rowKey == key) {
      estimate = max(estimate, rowEstimate)
      upper = max(upper, rowUpper)
      continue
    }
    if (key != noOwner) {
      const square = <i64>estimate * <i64>estimate
      store<i32>(own, estimate)
      store<i32>(own, <i32>(upper - <i64>estimate), 4)
      records++
      total += <i64>estimate
      high += square >> 32
      low += square & 0xffffffff
      if (estimate > least) {
        keep(key, estimate, upper)
        least = floor
      } else {
        dropped = max(dropped, estimate)
        ceiling = max(ceiling, upper)
      }
    }
    key = rowKey
    own = note
    estimate = rowEstimate
    upper = rowUpper
  }
  owner = key
  noted = own
  best = estimate
  bound = upper
  scanned += rows
  matched += records
  sum += total
  squaresHigh += high
  squaresLow += low
  lose(dropped, ceiling)
}

/** Counts the last record. */
function close(): void {
  if (owner == noOwner) return
  const square = <i64>best * <i64>best
  store<i32>(noted, best)
  store<i32>(noted, <i32>(bound - <i64>best), 4)
  matched++
  sum += <i64>best
  squaresHigh += square >> 32
  squaresLow += square & 0xffffffff
  if (best > floor) keep(owner, best, bound)
  else lose(best, bound)
  owner = noOwner
}

function lose(estimate: i32, upper: i64): void {
  lostBest = max(lostBest, estimate)
  lostUpper = max(lostUpper, upper)
}

function keep(key: u32, estimate: i32, upper: i64): void {
  const margin = <u64>(upper - <i64>estimate)
  if (mode == modeTied) {
    if (estimate > cut) return
    store<u32>(out + ((<usize>kept) << 2), key)
    tiedMargin = max(tiedMargin, <i32>margin)
    kept++
  } else {
    placeEntry(out + ((<usize>kept) << 4), key, estimate, margin)
    kept++
    if (mode == modeRank && kept == depth * rankingRoom) prune()
  }
}

/** Drops all but the best `depth` entries and raises `floor`, so that only better records are kept from now on. */
function prune(): void {
  if (kept <= depth) return
  const end = out + ((<usize>kept) << 4)
  const worst = out + ((<usize>(depth - 1)) << 4)
  select(out, end - entryBytes, worst)
  for (let entry = worst + entryBytes; entry < end; entry += entryBytes) {
    const estimate = estimateAt(entry)
    lose(estimate, <i64>estimate + load<i64>(entry, 8))
  }
  kept = depth
  floor = estimateAt(worst)
}
