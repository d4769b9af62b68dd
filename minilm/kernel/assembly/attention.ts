/** Attention of every head, with both of its products in integers. */
import { addProducts, exp, maxOf, rounded, sumsOf } from './lanes'

/** Codes of queries and keys: 64 products of two of them stay within 31 bits. */
const keyTop: f32 = 5790
/** Codes of weights. With `valueTop`, 256 products stay within 31 bits; of more tokens, values have one bit less. */
const weightTop: f32 = 4095

const lowest: f32 = -3.0e38

/**
 * `qkv`: rows of query, key and value, each of `size` values; the scale of the attention is in the queries. `rows`: tokens, rounded up to
 * even. `scratch`: see `scratchBytes`.
 */
export function attend(qkv: usize, tokens: i32, rows: i32, size: i32, head: i32, scratch: usize, out: usize): void {
  const wide = (tokens + 7) & ~7
  const valueTop: f32 = wide > 256 ? 1023 : 2047
  const headBytes = (<usize>head) << 1
  const queries = scratch
  const keys = queries + <usize>wide * headBytes
  const values = keys + <usize>wide * headBytes
  const queryScales = values + <usize>wide * headBytes
  const keyScales = queryScales + ((<usize>wide) << 2)
  const valueScales = keyScales + ((<usize>wide) << 2)
  const weights = valueScales + ((<usize>head) << 2)
  const scores = weights + ((<usize>wide) << 2)
  const rowBytes = <usize>size * 12
  const outBytes = (<usize>size) << 2
  for (let first: i32 = 0; first < size; first += head) {
    const query = qkv + ((<usize>first) << 2)
    encode(query, rows, rowBytes, head, queries, queryScales)
    encode(query + outBytes, tokens, rowBytes, head, keys, keyScales)
    for (let t = tokens; t < wide; t++) {
      store<f32>(keyScales + ((<usize>t) << 2), 0)
      memory.fill(keys + <usize>t * headBytes, 0, headBytes)
    }
    turn(query + 2 * outBytes, tokens, wide, rowBytes, head, valueTop, values, valueScales)
    for (let t: i32 = 0; t < rows; t += 2) {
      compare(queries + <usize>t * headBytes, headBytes, keys, keyScales, wide, queryScales + ((<usize>t) << 2), scores)
      const sumA = soften(scores, tokens, wide, weights)
      const sumB = soften(scores + ((<usize>wide) << 2), tokens, wide, weights + ((<usize>wide) << 1))
      mix(
        weights,
        wide,
        values,
        valueScales,
        head,
        sumA,
        sumB,
        out + <usize>t * outBytes + ((<usize>first) << 2),
        outBytes,
      )
    }
  }
}

/** Codes of the rows of one head, each with its scale. */
function encode(x: usize, rows: i32, rowBytes: usize, head: i32, codes: usize, scales: usize): void {
  const bytes = (<usize>head) << 2
  for (let row: i32 = 0; row < rows; row++, x += rowBytes, scales += 4) {
    let peak = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) peak = f32x4.max(peak, f32x4.abs(v128.load(x + i)))
    const largest = max<f32>(maxOf(peak), 1e-30)
    store<f32>(scales, largest / keyTop)
    const factor = f32x4.splat(keyTop / largest)
    for (let i: usize = 0; i < bytes; i += 32, codes += 16)
      v128.store(codes, rounded(f32x4.mul(v128.load(x + i), factor), f32x4.mul(v128.load(x + i, 16), factor)))
  }
}

/** Codes of the values, one row per dimension of the head, padded with zeros. */
function turn(
  x: usize,
  tokens: i32,
  wide: i32,
  rowBytes: usize,
  head: i32,
  top: f32,
  codes: usize,
  scales: usize,
): void {
  const codeBytes = (<usize>wide) << 1
  for (let d: i32 = 0; d < head; d += 4, scales += 16, codes += codeBytes << 2) {
    const column = x + ((<usize>d) << 2)
    let peak = f32x4.splat(1e-30)
    let place = column
    for (let t: i32 = 0; t < tokens; t++, place += rowBytes) peak = f32x4.max(peak, f32x4.abs(v128.load(place)))
    v128.store(scales, f32x4.div(peak, f32x4.splat(top)))
    const factor = f32x4.div(f32x4.splat(top), peak)
    place = column
    let code = codes
    for (let t: i32 = 0; t < wide; t++, place += rowBytes, code += 2) {
      const four =
        t < tokens ? i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(place), factor))) : i32x4.splat(0)
      store<i16>(code, <i16>i32x4.extract_lane(four, 0))
      store<i16>(code + codeBytes, <i16>i32x4.extract_lane(four, 1))
      store<i16>(code + 2 * codeBytes, <i16>i32x4.extract_lane(four, 2))
      store<i16>(code + 3 * codeBytes, <i16>i32x4.extract_lane(four, 3))
    }
  }
}

/** Products of two queries with all keys, as f32: two rows of `wide`. */
function compare(
  query: usize,
  headBytes: usize,
  key: usize,
  keyScales: usize,
  wide: i32,
  queryScales: usize,
  scores: usize,
): void {
  const scaleA = v128.load32_splat(queryScales)
  const scaleB = v128.load32_splat(queryScales, 4)
  const wideBytes = (<usize>wide) << 2
  for (const end = scores + wideBytes; scores < end; scores += 16, keyScales += 16, key += headBytes << 2) {
    let a0 = i32x4.splat(0)
    let a1 = i32x4.splat(0)
    let a2 = i32x4.splat(0)
    let a3 = i32x4.splat(0)
    let b0 = i32x4.splat(0)
    let b1 = i32x4.splat(0)
    let b2 = i32x4.splat(0)
    let b3 = i32x4.splat(0)
    for (let i: usize = 0; i < headBytes; i += 16) {
      const x = v128.load(query + i)
      const y = v128.load(query + headBytes + i)
      let row = v128.load(key + i)
      a0 = addProducts(a0, row, x)
      b0 = addProducts(b0, row, y)
      row = v128.load(key + headBytes + i)
      a1 = addProducts(a1, row, x)
      b1 = addProducts(b1, row, y)
      row = v128.load(key + 2 * headBytes + i)
      a2 = addProducts(a2, row, x)
      b2 = addProducts(b2, row, y)
      row = v128.load(key + 3 * headBytes + i)
      a3 = addProducts(a3, row, x)
      b3 = addProducts(b3, row, y)
    }
    const keyScale = v128.load(keyScales)
    v128.store(scores, f32x4.mul(f32x4.convert_i32x4_s(sumsOf(a0, a1, a2, a3)), f32x4.mul(keyScale, scaleA)))
    v128.store(
      scores + wideBytes,
      f32x4.mul(f32x4.convert_i32x4_s(sumsOf(b0, b1, b2, b3)), f32x4.mul(keyScale, scaleB)),
    )
  }
}

/** Softmax of a row as int16 weights; the largest is `weightTop`. Returns their sum. */
function soften(scores: usize, tokens: i32, wide: i32, weights: usize): f32 {
  for (let k = tokens; k < wide; k++) store<f32>(scores + ((<usize>k) << 2), lowest)
  const end = scores + ((<usize>wide) << 2)
  let peak = f32x4.splat(lowest)
  for (let place = scores; place < end; place += 16) peak = f32x4.max(peak, v128.load(place))
  const top = f32x4.splat(maxOf(peak))
  const scale = f32x4.splat(weightTop)
  const ones = i16x8.splat(1)
  let sum = i32x4.splat(0)
  for (let place = scores; place < end; place += 32, weights += 16) {
    const codes = rounded(
      f32x4.mul(exp(f32x4.sub(v128.load(place), top)), scale),
      f32x4.mul(exp(f32x4.sub(v128.load(place, 16), top)), scale),
    )
    v128.store(weights, codes)
    sum = addProducts(sum, codes, ones)
  }
  return <f32>(
    (i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3))
  )
}

/** Two rows of weighted means of the values. */
function mix(
  weights: usize,
  wide: i32,
  value: usize,
  valueScales: usize,
  head: i32,
  sumA: f32,
  sumB: f32,
  out: usize,
  outBytes: usize,
): void {
  const codeBytes = (<usize>wide) << 1
  const shareA = f32x4.splat(<f32>1 / sumA)
  const shareB = f32x4.splat(<f32>1 / sumB)
  for (let d: i32 = 0; d < head; d += 4, value += codeBytes << 2, valueScales += 16, out += 16) {
    let a0 = i32x4.splat(0)
    let a1 = i32x4.splat(0)
    let a2 = i32x4.splat(0)
    let a3 = i32x4.splat(0)
    let b0 = i32x4.splat(0)
    let b1 = i32x4.splat(0)
    let b2 = i32x4.splat(0)
    let b3 = i32x4.splat(0)
    for (let i: usize = 0; i < codeBytes; i += 16) {
      const x = v128.load(weights + i)
      const y = v128.load(weights + codeBytes + i)
      let row = v128.load(value + i)
      a0 = addProducts(a0, row, x)
      b0 = addProducts(b0, row, y)
      row = v128.load(value + codeBytes + i)
      a1 = addProducts(a1, row, x)
      b1 = addProducts(b1, row, y)
      row = v128.load(value + 2 * codeBytes + i)
      a2 = addProducts(a2, row, x)
      b2 = addProducts(b2, row, y)
      row = v128.load(value + 3 * codeBytes + i)
      a3 = addProducts(a3, row, x)
      b3 = addProducts(b3, row, y)
    }
    const scale = v128.load(valueScales)
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(sumsOf(a0, a1, a2, a3)), f32x4.mul(scale, shareA)))
    v128.store(out + outBytes, f32x4.mul(f32x4.convert_i32x4_s(sumsOf(b0, b1, b2, b3)), f32x4.mul(scale, shareB)))
  }
}
