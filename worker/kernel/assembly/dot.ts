/** The dot product of the kernel. */

/**
 * Σ row[i] · query[i] of an int8 row and an int16 query; `stride`: bytes of the row. Exact: the host scales the query so that every
 * partial sum fits 32 bits.
 */
export function dot(codes: usize, query: usize, stride: usize): i32 {
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
