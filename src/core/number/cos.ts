/**
 * Cosine, the same bits in every engine: x = n·π/2 + r with |r| ≤ π/4, then the Taylor series of cosine or sine.
 * The reduction is done in whole numbers, exactly, for every finite double: it costs half a microsecond and needs
 * no range. Error below 1 ulp (measured in number.test.ts).
 */
import { scale } from './binary64.ts'
import type { DoubleDouble } from './double-double.ts'

/** The cosine of `x` radians, for every finite `x`; NaN for NaN and ±Infinity, as ECMAScript's `Math.cos`. */
export function cos(x: number): number {
  const size = Math.abs(x)
  if (!(size < Infinity)) return NaN
  const { turns, rest } = size < quarterPi ? { turns: 0, rest: { high: size, low: 0 } } : reduce(size)
  const value = turns % 2 === 0 ? cosNearZero(rest) : sinNearZero(rest)
  return turns === 1 || turns === 2 ? -value : value
}

interface Reduced {
  /** The number of subtracted quarter turns, modulo 4. */
  readonly turns: number
  /** The rest, in [-π/4, π/4]. */
  readonly rest: DoubleDouble
}

const quarterPi = 0.7853981633974483
const twoTo53 = 9007199254740992

/** Bits after the point: the nearest a double comes to a multiple of π/2 is about 2^-62, and 120 more tell it apart. */
const restBits = 182
/** π/2 · 2^1233: the largest double's 1024 bits more than `restBits`, and some to spare. */
const halfPi = BigInt(
  '0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6cc0ac29b7c97c50dd' +
    '3f84d5b5b54709179216d5d98979fb1bd1310ba698dfb5ac2ffd72dbd01adfb7b8e1afed6a267e96ba7c9045f12c7f9924a19947b3916cf70' +
    '801f2e2858efc16636920d871574e69a458fea3f4933d7e0d95748f728eb658718bcd5882154aee7b54',
)
/** π/2 · 2^273, for numbers below 2^53. */
const shortHalfPi = halfPi >> 960n

function reduce(size: number): Reduced {
  // Doubles of this size are multiples of 2^-53; from 2^53 on they are integers, and multiplying could overflow.
  return size < twoTo53
    ? reduceInteger(BigInt(size * twoTo53) << 220n, shortHalfPi, 273)
    : reduceInteger(BigInt(size) << 1233n, halfPi, 1233)
}

/** Subtracts the nearest multiple of `quarterTurn` from `angle`, both with `bits` bits after the point. */
function reduceInteger(angle: bigint, quarterTurn: bigint, bits: number): Reduced {
  const n = (angle + quarterTurn / 2n) / quarterTurn
  const rest = (angle - n * quarterTurn) >> BigInt(bits - restBits)
  const high = Number(rest)
  const low = Number(rest - BigInt(high))
  return { turns: Number(n % 4n), rest: { high: scale(high, -restBits), low: scale(low, -restBits) } }
}

/** 1 − z/2! + z²/4! − … − z⁹/18!, z = r²; what the subtraction of z/2 rounds away is added back at the end. */
function cosNearZero(r: DoubleDouble): number {
  const z = r.high * r.high
  const half = z / 2
  const top = 1 - half
  return top + (1 - top - half + (z * z * alternatingSum(cosineTerms, z) - r.high * r.low))
}

/** r − r³/3! + … + r¹⁷/17!; the low half moves the value by its product with cos r. */
function sinNearZero(r: DoubleDouble): number {
  const z = r.high * r.high
  return r.high - (r.high * z * alternatingSum(sineTerms, z) - r.low * (1 - z / 2))
}

/** 1/4!, 1/6!, … 1/18! and 1/3!, 1/5!, … 1/17!: what is left out is below 2^-62 of the result. */
const cosineTerms = [24, 720, 40320, 3628800, 479001600, 87178291200, 20922789888000, 6402373705728000].map(inverse)
const sineTerms = [6, 120, 5040, 362880, 39916800, 6227020800, 1307674368000, 355687428096000].map(inverse)

function inverse(factorial: number): number {
  return 1 / factorial
}

/** terms[0] − terms[1]·z + terms[2]·z² − … */
function alternatingSum(terms: readonly number[], z: number): number {
  return terms.reduceRight((sum, term) => term - z * sum, 0)
}
