/**
 * x^y = e^(y · ln x), the same bits in every engine: ln x and the product are carried to some 100 bits,
 * so that the error stays below 0.8 ulp (measured in number.test.ts) and powers that are doubles come out exactly.
 */
import { exponentOf, scale } from './binary64.ts'
import { add, type DoubleDouble, divide, exactProduct, exactSum, multiply } from './double-double.ts'
import { expOfSum } from './exp.ts'

/**
 * `x` to the power `y`, with the special cases of ECMAScript's `**`: anything to the power ±0 is 1, ±1 to ±Infinity
 * is NaN, a negative base to a fractional power is NaN, and the sign of an odd power follows the base, zeros included.
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN
  const size = Math.abs(x)
  if (!Number.isFinite(y)) return size === 1 ? NaN : size > 1 === y > 0 ? Infinity : 0
  const sign = isNegative(x) && isOdd(y) ? -1 : 1
  if (size === 0 || size === Infinity) return sign * (size > 1 === y > 0 ? Infinity : 0)
  if (x < 0 && Math.trunc(y) !== y) return NaN
  return sign * powerOfPositive(size, y)
}

function powerOfPositive(x: number, y: number): number {
  const logarithm = preciseLog(x)
  const estimate = y * logarithm.high
  // Outside this range the result is 0 or Infinity for sure, and an exact product could overflow.
  if (!(Math.abs(estimate) < 800)) return estimate > 0 ? Infinity : 0
  const product = exactProduct(y, logarithm.high)
  const exponent = exactSum(product.high, product.low + y * logarithm.low)
  return expOfSum(exponent.high, exponent.low)
}

/**
 * ln x to some 70 bits, for positive finite x. With x = 2^e · m and s = (m − 1) / (m + 1), ln m = 2·artanh s
 * = 2s·(1 + z/3 + z²/5 + …), z = s²: the leading terms need both halves, the rest is small enough for one.
 */
function preciseLog(x: number): DoubleDouble {
  const exponent = exponentOf(x)
  const m = scale(x, -exponent)
  const s = divide(m - 1, exactSum(m, 1))
  const z = multiply(s, s)
  const series = add(one, multiply(z, add(third, multiply(z, add(fifth, single(z.high * tail(z.high)))))))
  return add(multiply(ln2, single(exponent)), multiply({ high: 2 * s.high, low: 2 * s.low }, series))
}

/** 1/7 + z/9 + … + z¹⁰/27 for z ≤ 0.0295. */
function tail(z: number): number {
  let sum = 1 / 27
  for (let divisor = 25; divisor >= 7; divisor -= 2) sum = 1 / divisor + z * sum
  return sum
}

const ln2: DoubleDouble = { high: 0.6931471805599453, low: 2.3190468138462996e-17 }
const one = single(1)
const third = divide(1, single(3))
const fifth = divide(1, single(5))

function single(value: number): DoubleDouble {
  return { high: value, low: 0 }
}

function isNegative(x: number): boolean {
  return x < 0 || 1 / x < 0
}

/** Whether `y` is an odd integer; from 2^53 on every double is even. */
function isOdd(y: number): boolean {
  return Math.trunc(y) === y && Math.floor(y / 2) * 2 !== y
}
