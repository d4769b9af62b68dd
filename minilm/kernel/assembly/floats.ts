/** The steps that are not matrix products: norm, activation and pooling. */
import { exp, sumOf } from './lanes'

/** x = layer norm of x + other, in place; with `other` 0, of x. */
export function norm(x: usize, other: usize, weights: usize, biases: usize, rows: i32, size: i32, epsilon: f32): void {
  const bytes = (<usize>size) << 2
  const count = <f32>size
  for (let row: i32 = 0; row < rows; row++, x += bytes) {
    let sum = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) {
      let v = v128.load(x + i)
      if (other != 0) {
        v = f32x4.add(v, v128.load(other + i))
        v128.store(x + i, v)
      }
      sum = f32x4.add(sum, v)
    }
    if (other != 0) other += bytes
    const mean = f32x4.splat(sumOf(sum) / count)
    let squares = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) {
      const d = f32x4.sub(v128.load(x + i), mean)
      squares = f32x4.add(squares, f32x4.mul(d, d))
    }
    const factor = f32x4.splat(<f32>1 / sqrt<f32>(sumOf(squares) / count + epsilon))
    for (let i: usize = 0; i < bytes; i += 16) {
      const d = f32x4.mul(f32x4.sub(v128.load(x + i), mean), factor)
      v128.store(x + i, f32x4.add(f32x4.mul(d, v128.load(weights + i)), v128.load(biases + i)))
    }
  }
}

/** x = x · Φ(x), in place. The error function is the fraction 7.1.26 of Abramowitz and Stegun, with an error below 2e-7. */
export function gelu(x: usize, count: i32): void {
  const sign = i32x4.splat(0x80000000)
  const one = f32x4.splat(1)
  for (const end = x + ((<usize>count) << 2); x < end; x += 16) {
    const v = v128.load(x)
    const z = f32x4.mul(f32x4.abs(v), f32x4.splat(0.7071067811865476))
    const t = f32x4.div(one, f32x4.add(one, f32x4.mul(z, f32x4.splat(0.3275911))))
    let p = f32x4.splat(1.061405429)
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-1.453152027))
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741))
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736))
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592))
    const rest = f32x4.mul(f32x4.mul(p, t), exp(f32x4.neg(f32x4.mul(z, z))))
    const erf = v128.or(f32x4.sub(one, rest), v128.and(v, sign))
    v128.store(x, f32x4.mul(f32x4.mul(v, f32x4.splat(0.5)), f32x4.add(one, erf)))
  }
}

/** out = the mean of the rows, scaled to unit length. One row gives the pooling of the first token. */
export function pool(x: usize, rows: i32, size: i32, out: usize): void {
  const bytes = (<usize>size) << 2
  let squares = f32x4.splat(0)
  for (let i: usize = 0; i < bytes; i += 16) {
    let sum = f32x4.splat(0)
    let place = x + i
    for (let row: i32 = 0; row < rows; row++, place += bytes) sum = f32x4.add(sum, v128.load(place))
    v128.store(out + i, sum)
    squares = f32x4.add(squares, f32x4.mul(sum, sum))
  }
  const factor = f32x4.splat(<f32>1 / max<f32>(sqrt<f32>(sumOf(squares)), 1e-30))
  for (let i: usize = 0; i < bytes; i += 16) v128.store(out + i, f32x4.mul(v128.load(out + i), factor))
}
