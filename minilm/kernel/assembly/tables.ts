/** Reads packed codes: the rows of words and positions, and the matrices of the file. */

/** The code at bit `at`, less `middle`. Reads two bytes. */
function codeAt(codes: usize, at: usize, mask: i32, middle: i32): i32 {
  return ((<i32>load<u16>(codes + (at >> 3)) >> (<i32>at & 7)) & mask) - middle
}

/** out[t] = row of word ids[t] + row t of the positions. Words have `bits` bits a value, positions 8. */
export function gather(
  ids: usize,
  tokens: i32,
  codes: usize,
  scales: usize,
  bits: i32,
  positions: usize,
  positionScales: usize,
  size: i32,
  out: usize,
): void {
  const mask = (1 << bits) - 1
  const middle = 1 << (bits - 1)
  for (let t: i32 = 0; t < tokens; t++) {
    const id = load<i32>(ids + ((<usize>t) << 2))
    const scale = load<f32>(scales + ((<usize>id) << 2))
    const positionScale = load<f32>(positionScales + ((<usize>t) << 2))
    let at = <usize>id * <usize>size * <usize>bits
    let byte = codes + <usize>id * <usize>size
    for (let i: i32 = 0; i < size; i++, at += bits, byte++, positions++, out += 4) {
      const code = bits == 8 ? <i32>load<i8>(byte) : codeAt(codes, at, mask, middle)
      store<f32>(out, <f32>code * scale + <f32>load<i8>(positions) * positionScale)
    }
  }
}

/** Writes `count` packed codes of fewer than 8 bits as int8. */
export function unpack(codes: usize, count: i32, bits: i32, out: usize): void {
  const mask = (1 << bits) - 1
  const middle = 1 << (bits - 1)
  let at: usize = 0
  for (const end = out + <usize>count; out < end; out++, at += bits) store<i8>(out, <i8>codeAt(codes, at, mask, middle))
}
