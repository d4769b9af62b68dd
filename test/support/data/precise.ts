/**
 * The oracle for `src/core/number`: exp, log, pow and cos by BigInt fixed-point series, about 96 decimal digits, and
 * the distance of a double from such a value in units of the double's last place. Slow, plain, independent.
 */

/** The exact number `digits · 2^(exponent − fractionBits)`. */
export interface Precise {
  readonly digits: bigint
  readonly exponent: number
}

export const fractionBits = 320
const one = 1n << BigInt(fractionBits)

/** ln x for a positive finite double. */
export function preciseLog(x: number): Precise {
  const { mantissa, exponent } = decompose(x)
  const bits = mantissa.toString(2).length
  const inUnitRange = (mantissa << BigInt(fractionBits)) >> BigInt(bits - 1)
  const half = inUnitRange > (one * 7n) / 5n ? 1 : 0
  const ratio = ((inUnitRange - (one << BigInt(half))) << BigInt(fractionBits)) / (inUnitRange + (one << BigInt(half)))
  return { digits: 2n * artanh(ratio) + BigInt(exponent + bits - 1 + half) * ln2, exponent: 0 }
}

/** e^x for a finite double. */
export function preciseExp(x: number): Precise {
  return expOfFixed(toFixed(x))
}

/** x^y for positive finite x and finite y. */
export function precisePow(x: number, y: number): Precise {
  const { mantissa, exponent } = decompose(y)
  return expOfFixed(shift(mantissa * preciseLog(x).digits, exponent))
}

/** cos x for any finite double, also beyond 2^1000: π is carried 1100 bits further than the result. */
export function preciseCos(x: number): Precise {
  const quarter = 2n * atanSum(fractionBits + 1100)
  const { mantissa, exponent } = decompose(Math.abs(x))
  const wide = shift(mantissa, exponent + fractionBits + 1100)
  const quadrant = wide / quarter
  const angle = (wide - quadrant * quarter) >> 1100n
  const turned = Number(quadrant % 4n)
  const value = turned % 2 === 0 ? cosOfFixed(angle) : sinOfFixed(angle)
  return { digits: turned === 1 || turned === 2 ? -value : value, exponent: 0 }
}

/** π · 2^bits, rounded down by a few units. */
export function pi(bits: number): bigint {
  return atanSum(bits) * 4n
}

/** |actual − expected| in units of the last place that a double of the expected size has. */
export function ulpsBetween(actual: number, expected: Precise): number {
  if (Number.isNaN(actual)) return Number.POSITIVE_INFINITY
  const size = expected.digits < 0n ? -expected.digits : expected.digits
  if (size === 0n) return actual === 0 ? 0 : Number.POSITIVE_INFINITY
  const topBit = size.toString(2).length - 1 - fractionBits + expected.exponent
  if (actual === Number.POSITIVE_INFINITY && topBit > 1023) return 0
  const unit = Math.max(topBit, -1022) - 52
  const { mantissa, exponent } = decomposeOverflow(actual)
  const lowest = Math.min(exponent, expected.exponent - fractionBits, unit) - 20
  const difference =
    (mantissa << BigInt(exponent - lowest)) - (expected.digits << BigInt(expected.exponent - fractionBits - lowest))
  const inUnits = (difference << 20n) / (1n << BigInt(unit - lowest))
  return Math.abs(Number(inUnits)) / 1048576
}

/** mantissa · 2^exponent = x, mantissa an integer with the sign of x. */
export function decompose(x: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const raw = view.getBigUint64(0)
  const fraction = raw & ((1n << 52n) - 1n)
  const stored = Number((raw >> 52n) & 2047n)
  const mantissa = stored === 0 ? fraction : fraction | (1n << 52n)
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: Math.max(stored, 1) - 1075 }
}

/** Infinity counts as the first power of two that is not a double: just above the largest double it is one ulp off. */
function decomposeOverflow(x: number): { mantissa: bigint; exponent: number } {
  return x === Number.POSITIVE_INFINITY ? { mantissa: 1n, exponent: 1024 } : decompose(x)
}

function toFixed(x: number): bigint {
  const { mantissa, exponent } = decompose(x)
  return shift(mantissa, exponent + fractionBits)
}

function shift(value: bigint, bits: number): bigint {
  return bits >= 0 ? value << BigInt(bits) : value >> BigInt(-bits)
}

function expOfFixed(x: bigint): Precise {
  const floor = x / ln2 - (x < 0n ? 1n : 0n)
  const rest = x - floor * ln2
  let sum = one
  let term = one
  for (let n = 1n; term !== 0n; n++) {
    term = ((term * rest) >> BigInt(fractionBits)) / n
    sum += term
  }
  return { digits: sum, exponent: Number(floor) }
}

function cosOfFixed(angle: bigint): bigint {
  return alternating(angle, one, 1n)
}

function sinOfFixed(angle: bigint): bigint {
  return alternating(angle, angle, 2n)
}

/** first − first·angle²/(k(k+1)) + …, with k = `start`, `start` + 2, …: the common shape of the series of sine and cosine. */
function alternating(angle: bigint, first: bigint, start: bigint): bigint {
  const square = (angle * angle) >> BigInt(fractionBits)
  let sum = first
  let term = first
  for (let k = start; term !== 0n; k += 2n) {
    term = -(((term * square) >> BigInt(fractionBits)) / (k * (k + 1n)))
    sum += term
  }
  return sum
}

function artanh(ratio: bigint): bigint {
  const square = (ratio * ratio) >> BigInt(fractionBits)
  let sum = ratio
  let power = ratio
  for (let k = 3n; power / k !== 0n; k += 2n) {
    power = (power * square) >> BigInt(fractionBits)
    sum += power / k
    if (power === -1n) break
  }
  return sum
}

const ln2 = 2n * artanh(one / 3n)

const knownAtanSums = new Map<number, bigint>()

/** π/4 by Machin: 4·arctan(1/5) − arctan(1/239), times 2^bits. */
function atanSum(bits: number): bigint {
  const known = knownAtanSums.get(bits)
  if (known !== undefined) return known
  const guard = 32
  const sum = (4n * arctanOfInverse(5n, bits + guard) - arctanOfInverse(239n, bits + guard)) >> BigInt(guard)
  knownAtanSums.set(bits, sum)
  return sum
}

function arctanOfInverse(inverse: bigint, bits: number): bigint {
  let power = (1n << BigInt(bits)) / inverse
  let sum = power
  for (let k = 3n; power !== 0n; k += 2n) {
    power = -power / (inverse * inverse)
    sum += power / k
  }
  return sum
}
