/**
 * Splits a double into a power of two and a factor near one, and joins them again, both exactly.
 * Uses an explicit byte order, so the byte order of the machine does not matter.
 */

const scratch = new DataView(new ArrayBuffer(8))

/** Upper half of the bits of 1/√2: exponents are counted from there, which centres the factor on one. */
const upperWordOfRootHalf = 0x3fe6a09e
const smallestNormal = 2.2250738585072014e-308
const twoTo54 = 18014398509481984

/** The integer `e` with x / 2^e in [0.70710, 1.41421]; x must be positive and finite. */
export function exponentOf(x: number): number {
  if (x < smallestNormal) return exponentOf(x * twoTo54) - 54
  scratch.setFloat64(0, x, true)
  return (scratch.getInt32(4, true) - upperWordOfRootHalf) >> 20
}

/**
 * x · 2^n for n in [-2044, 2046]: exact where the product is a normal number, ±Infinity where it overflows,
 * rounded once where it is subnormal, as long as |x| itself is about one.
 */
export function scale(x: number, n: number): number {
  if (n > 1023) return x * powerOfTwo(1023) * powerOfTwo(n - 1023)
  if (n < -1022) return x * powerOfTwo(n + 1022) * powerOfTwo(-1022)
  return x * powerOfTwo(n)
}

/** 2^n for n in [-1022, 1023]. */
function powerOfTwo(n: number): number {
  return powersOfTwo[n + 1022]!
}

/** A table, because bits written in two halves and read back at once stall the processor. */
const powersOfTwo = buildPowersOfTwo()

function buildPowersOfTwo(): Float64Array {
  const powers = new Float64Array(2046)
  let power = smallestNormal
  for (let at = 0; at < powers.length; at++) {
    powers[at] = power
    power *= 2
  }
  return powers
}
