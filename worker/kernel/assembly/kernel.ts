/**
 * The SIMD kernel (AssemblyScript): one pass over int8 rows that estimates cosines, folds a record's pieces to its best one,
 * keeps the best records and sums up all of them. Every estimate is rounded once to 30 fractional bits; from there on all
 * is integer arithmetic, so no sum, order or bound depends on the engine or on the order of the rows.
 * It owns no memory: the host says where everything lies. `../README.md` draws the layout.
 */

/** Rows of one block; the host reads this constant, so it stands here only. */
export const blockRows: i32 = 4096
const blockShift: i32 = 12

/** Owner of a row that belongs to nobody. */
const nobody: u32 = u32.MAX_VALUE

/** What `settle` does with a record: rank it, list it when it ties with the cut, or write it down as it comes. */
const modeRank: i32 = 0
const modeTied: i32 = 1

let table: usize = 0
let stride: usize = 0
let mode: i32 = modeRank
let query: usize = 0
let factor: f64 = 0
let slope: f64 = 0
let base: f64 = 0
let allowed: usize = 0
let out: usize = 0
let depth: i32 = 0
let cut: i32 = 0
let worst: u64 = 0

/** Entries (or, for ties, keys) written so far. */
export let kept: i32 = 0
export let scanned: i32 = 0
export let matched: i32 = 0
/** Σ estimate and Σ estimate² over records; the squares in two halves so that no sum can overflow. */
export let sum: i64 = 0
export let squaresHigh: i64 = 0
export let squaresLow: i64 = 0
/** Best estimate, and best estimate + margin, among the records that were not kept. */
export let lostBest: i32 = i32.MIN_VALUE
export let lostUpper: i64 = i64.MIN_VALUE
export let tiedMargin: i32 = 0

/** Where the rows are: a table of block pointers, and the bytes of a padded row. */
export function attach(blockTable: usize, rowBytes: usize): void {
  table = blockTable
  stride = rowBytes
}

/** The quantised query: estimate = dot · scale · factor; margin = residual · slope + base; all in units of 2^-30. */
export function ask(queryPointer: usize, estimateFactor: f64, marginSlope: f64, marginBase: f64): void {
  query = queryPointer
  factor = estimateFactor
  slope = marginSlope
  base = marginBase
}

/** Starts a pass: what to do with records, the bitmap of allowed keys (0: all), where to write, how many, which cut. */
export function begin(passMode: i32, allowedBits: usize, outPointer: usize, outDepth: i32, cutEstimate: i32): void {
  mode = passMode
  allowed = allowedBits
  out = outPointer
  depth = outDepth
  cut = cutEstimate
  worst = 0
  kept = scanned = matched = 0
  sum = squaresHigh = squaresLow = 0
  lostBest = i32.MIN_VALUE
  lostUpper = i64.MIN_VALUE
  tiedMargin = 0
}

/** Looks at the first `rows` rows in order. Rows of one record are neighbours, perhaps across a block's end. */
export function scan(rows: i32): void {
  let owner: u32 = nobody
  let best: i32 = 0
  let upper: i64 = 0
  for (let first: i32 = 0; first < rows; first += blockRows) {
    let codes = load<u32>(table + ((<usize>(first >> blockShift)) << 2)) as usize
    let head = codes + <usize>blockRows * stride
    const count = min(rows - first, blockRows)
    for (let slot: i32 = 0; slot < count; slot++, codes += stride, head += 4) {
      const key = load<u32>(head)
      if (key == nobody) continue
      if (allowed && !((load<u32>(allowed + ((<usize>(key >> 5)) << 2)) >> (key & 31)) & 1)) continue
      const estimate = estimateOf(codes, head)
      const bound = <i64>estimate + radiusOf(head)
      scanned++
      if (key == owner) {
        best = max(best, estimate)
        upper = max(upper, bound)
      } else {
        if (owner != nobody) settle(owner, best, upper)
        owner = key
        best = estimate
        upper = bound
      }
    }
  }
  if (owner != nobody) settle(owner, best, upper)
}

/** Looks at `count` records named by their first rows, each below `rows`. */
export function gather(list: usize, count: i32, rows: i32): void {
  for (let asked: i32 = 0; asked < count; asked++) {
    let row = load<i32>(list + ((<usize>asked) << 2))
    let owner: u32 = nobody
    let best: i32 = 0
    let upper: i64 = 0
    for (; row < rows; row++) {
      const block = load<u32>(table + ((<usize>(row >> blockShift)) << 2)) as usize
      const slot = <usize>(row & (blockRows - 1))
      const head = block + <usize>blockRows * stride + (slot << 2)
      const key = load<u32>(head)
      if (owner != nobody && key != owner) break
      const estimate = estimateOf(block + slot * stride, head)
      const bound = <i64>estimate + radiusOf(head)
      best = owner == nobody ? estimate : max(best, estimate)
      upper = owner == nobody ? bound : max(upper, bound)
      owner = key
      scanned++
    }
    settle(owner, best, upper)
  }
}

/** Sorts what a ranking pass kept: best first. */
export function finish(): void {
  for (let left = kept - 1; left > 0; left--) {
    const code = load<u64>(out + ((<usize>left) << 4))
    const margin = load<u64>(out + ((<usize>left) << 4), 8)
    move(0, left)
    sink(code, margin, left)
  }
}

/** Spreads `count` encoded pieces ([scale f32][residual f32][int8 × dimensions]) over the slots of a block. */
export function unpack(source: usize, count: i32, dimensions: i32, block: usize, slot: i32): void {
  let codes = block + <usize>slot * stride
  let head = block + <usize>blockRows * stride + ((<usize>slot) << 2)
  for (let piece: i32 = 0; piece < count; piece++) {
    store<u32>(head + ((<usize>blockRows) << 2), load<u32>(source))
    store<u32>(head + ((<usize>blockRows) << 3), load<u32>(source, 4))
    memory.copy(codes, source + 8, dimensions)
    source += 8 + <usize>dimensions
    codes += stride
    head += 4
  }
}

/** The cosine estimate of one row. `head` points at its owner; scales follow the owners, residuals the scales. */
function estimateOf(codes: usize, head: usize): i32 {
  const scale = <f64>load<f32>(head + ((<usize>blockRows) << 2))
  return <i32>nearest<f64>(<f64>dot(codes) * scale * factor)
}

/** By how much the estimate of one row can be wrong, rounded up. */
function radiusOf(head: usize): i64 {
  const residual = <f64>load<f32>(head + ((<usize>blockRows) << 3))
  return <i64>(<i32>ceil<f64>(residual * slope + base))
}

/** Σ row[i] · query[i], exact: the host scales the query so that no partial sum leaves 32 bits. */
function dot(codes: usize): i32 {
  let a = i32x4.splat(0)
  let b = i32x4.splat(0)
  let other = query
  for (const end = codes + stride; codes < end; codes += 32, other += 64) {
    const x = v128.load(codes)
    const y = v128.load(codes, 16)
    a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(x), v128.load(other)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(x), v128.load(other, 16)))
    a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(y), v128.load(other, 32)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(y), v128.load(other, 48)))
  }
  a = i32x4.add(a, b)
  a = i32x4.add(a, i8x16.shuffle(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1)
}

/** Counts a finished record and files it as the pass demands. */
function settle(key: u32, estimate: i32, upper: i64): void {
  matched++
  if (mode == modeRank) {
    sum += <i64>estimate
    const square = <i64>estimate * <i64>estimate
    squaresHigh += square >> 32
    squaresLow += square & 0xffffffff
    rank(key, estimate, upper)
  } else if (mode == modeTied) {
    if (estimate == cut) {
      store<u32>(out + ((<usize>kept) << 2), key)
      kept++
      tiedMargin = max(tiedMargin, <i32>(upper - <i64>estimate))
    } else if (estimate < cut) lostUpper = max(lostUpper, upper)
  } else {
    place(kept, codeOf(key, estimate), <u64>(upper - <i64>estimate))
    kept++
  }
}

/** Keeps the best `depth` records in a heap whose root is the worst of them. */
function rank(key: u32, estimate: i32, upper: i64): void {
  const code = codeOf(key, estimate)
  const margin = <u64>(upper - <i64>estimate)
  if (kept < depth) {
    rise(code, margin, kept)
    kept++
    if (kept == depth) worst = load<u64>(out)
  } else if (code > worst) {
    const evicted = <i32>(<u32>(worst >> 32) ^ 0x80000000)
    lostBest = max(lostBest, evicted)
    lostUpper = max(lostUpper, <i64>evicted + load<i64>(out, 8))
    sink(code, margin, depth)
    worst = load<u64>(out)
  } else {
    lostBest = max(lostBest, estimate)
    lostUpper = max(lostUpper, upper)
  }
}

/** One number that orders records: estimate first, then the smaller key. */
function codeOf(key: u32, estimate: i32): u64 {
  return ((<u64>(<u32>estimate ^ 0x80000000)) << 32) | <u64>~key
}

function rise(code: u64, margin: u64, slot: i32): void {
  while (slot > 0) {
    const parent = (slot - 1) >> 1
    if (load<u64>(out + ((<usize>parent) << 4)) <= code) break
    move(parent, slot)
    slot = parent
  }
  place(slot, code, margin)
}

/** Puts an entry in at the root of a heap of `size` and lets it sink. */
function sink(code: u64, margin: u64, size: i32): void {
  let slot: i32 = 0
  for (;;) {
    let child = 2 * slot + 1
    if (child >= size) break
    const pair = out + ((<usize>child) << 4)
    child += <i32>(child + 1 < size && load<u64>(pair, 16) < load<u64>(pair))
    if (load<u64>(out + ((<usize>child) << 4)) >= code) break
    move(child, slot)
    slot = child
  }
  place(slot, code, margin)
}

function move(from: i32, to: i32): void {
  v128.store(out + ((<usize>to) << 4), v128.load(out + ((<usize>from) << 4)))
}

function place(slot: i32, code: u64, margin: u64): void {
  store<u64>(out + ((<usize>slot) << 4), code)
  store<u64>(out + ((<usize>slot) << 4), margin, 8)
}
