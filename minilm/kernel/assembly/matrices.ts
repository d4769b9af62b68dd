/** Matrix products of int8 weights with int16 activations. */
import { addProducts, maxOf, rounded, sumsOf } from './lanes'

/** Scales each row to ±top and rounds it to int16. `top` keeps every sum of `linear` within 32 bits: 127 · top · size < 2^31. */
export function quantise(x: usize, rows: i32, size: i32, top: f32, codes: usize, scales: usize): void {
  const bytes = (<usize>size) << 2
  for (let row: i32 = 0; row < rows; row++, scales += 4) {
    let peak = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) peak = f32x4.max(peak, f32x4.abs(v128.load(x + i)))
    const largest = max<f32>(maxOf(peak), 1e-30)
    store<f32>(scales, largest / top)
    const factor = f32x4.splat(top / largest)
    for (const end = x + bytes; x < end; x += 32, codes += 16)
      v128.store(codes, rounded(f32x4.mul(v128.load(x), factor), f32x4.mul(v128.load(x, 16), factor)))
  }
}

/**
 * out[t][m] = Σ codes[t][k] · weights[m][k] · codeScales[t] · weightScales[m] + biases[m]. Panels hold four rows of weights, eight values
 * of each at a time. `rows` is even.
 */
export function linear(
  codes: usize,
  codeScales: usize,
  rows: i32,
  size: i32,
  panels: usize,
  weightScales: usize,
  biases: usize,
  outSize: i32,
  out: usize,
): void {
  const rowBytes = (<usize>size) << 1
  const panelBytes = (<usize>size) << 2
  const outBytes = (<usize>outSize) << 2
  // As many rows as stay in the first-level cache while the panels pass.
  const tile = max<i32>(2, 12288 / size) & ~1
  for (let from: i32 = 0; from < rows; from += tile) {
    const to = min<i32>(rows, from + tile)
    let panel = panels
    for (let m: usize = 0; m < outBytes; m += 16, panel += panelBytes) {
      const end = panel + panelBytes
      const weightScale = v128.load(weightScales + m)
      const bias = v128.load(biases + m)
      for (let t = from; t < to; t += 2) {
        let a = codes + <usize>t * rowBytes
        let b = a + rowBytes
        let a0 = i32x4.splat(0)
        let a1 = i32x4.splat(0)
        let a2 = i32x4.splat(0)
        let a3 = i32x4.splat(0)
        let b0 = i32x4.splat(0)
        let b1 = i32x4.splat(0)
        let b2 = i32x4.splat(0)
        let b3 = i32x4.splat(0)
        for (let w = panel; w < end; w += 64, a += 32, b += 32) {
          let x = v128.load(a)
          let y = v128.load(b)
          let row = v128.load8x8_s(w)
          a0 = addProducts(a0, row, x)
          b0 = addProducts(b0, row, y)
          row = v128.load8x8_s(w, 8)
          a1 = addProducts(a1, row, x)
          b1 = addProducts(b1, row, y)
          row = v128.load8x8_s(w, 16)
          a2 = addProducts(a2, row, x)
          b2 = addProducts(b2, row, y)
          row = v128.load8x8_s(w, 24)
          a3 = addProducts(a3, row, x)
          b3 = addProducts(b3, row, y)
          x = v128.load(a, 16)
          y = v128.load(b, 16)
          row = v128.load8x8_s(w, 32)
          a0 = addProducts(a0, row, x)
          b0 = addProducts(b0, row, y)
          row = v128.load8x8_s(w, 40)
          a1 = addProducts(a1, row, x)
          b1 = addProducts(b1, row, y)
          row = v128.load8x8_s(w, 48)
          a2 = addProducts(a2, row, x)
          b2 = addProducts(b2, row, y)
          row = v128.load8x8_s(w, 56)
          a3 = addProducts(a3, row, x)
          b3 = addProducts(b3, row, y)
        }
        const place = out + <usize>t * outBytes + m
        const scale = codeScales + ((<usize>t) << 2)
        write(place, sumsOf(a0, a1, a2, a3), f32x4.mul(weightScale, v128.load32_splat(scale)), bias)
        write(place + outBytes, sumsOf(b0, b1, b2, b3), f32x4.mul(weightScale, v128.load32_splat(scale, 4)), bias)
      }
    }
  }
}

function write(place: usize, sums: v128, scale: v128, bias: v128): void {
  v128.store(place, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), scale), bias))
}
