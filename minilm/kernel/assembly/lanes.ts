/** Small functions of four lanes that the steps share. */

/** Sum of the four lanes, always (0 + 2) + (1 + 3). */
export function sumOf(v: v128): f32 {
  const pairs = f32x4.add(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1)
}

export function maxOf(v: v128): f32 {
  const pairs = f32x4.max(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}

/** The sums of the lanes of four vectors of integers, as one vector. */
export function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(
    i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
    i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
  )
  const cd = i32x4.add(
    i8x16.shuffle(c, d, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
    i8x16.shuffle(c, d, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
  )
  return i32x4.add(
    i8x16.shuffle(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    i8x16.shuffle(ab, cd, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
  )
}

/** Adds the products of eight pairs of int16. */
export function addProducts(sum: v128, a: v128, b: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b))
}

/** Eight f32 as eight int16, rounded to nearest, ties to even. */
export function rounded(low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(f32x4.nearest(low)), i32x4.trunc_sat_f32x4_s(f32x4.nearest(high)))
}

/** e^x for x ≤ 0, with a relative error of about 2e-7; 0 below −87. x = n · ln 2 + r, and e^r by its series. */
export function exp(x: v128): v128 {
  const safe = f32x4.max(x, f32x4.splat(-87))
  const n = f32x4.nearest(f32x4.mul(safe, f32x4.splat(1.4426950408889634)))
  // ln 2 in two parts, the first with few bits, so that its product with n is exact.
  let r = f32x4.sub(safe, f32x4.mul(n, f32x4.splat(0.693145751953125)))
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(0.0000014286068203094)))
  let p = f32x4.splat(1.0 / 720.0)
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 120.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 24.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 6.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1))
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23)
  return v128.and(f32x4.mul(p, power), f32x4.ge(x, f32x4.splat(-87)))
}
