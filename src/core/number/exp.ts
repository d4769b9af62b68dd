/**
 * e^x, the same bits in every engine: x = n·ln 2 + r with |r| ≤ 0.35, the Taylor series for e^r, and 2^n set as bits.
 * Error below 0.8 ulp (measured in number.test.ts), for every double; subnormal results are rounded once more.
 */
import { scale } from './binary64.ts'

/**
 * e to the power `x`: 0 for -Infinity and below -745.13, Infinity above 709.78, NaN for NaN, as ECMAScript's
 * `Math.exp`, but from + − × ÷ alone.
 */
export function exp(x: number): number {
  return expOfSum(x, 0)
}

/** e^(high + low), where |low| is at most half an ulp of `high`: `pow` needs its exponent to more than 53 bits. */
export function expOfSum(high: number, low: number): number {
  if (high > overflowAbove) return Infinity
  if (high < zeroBelow) return 0
  const n = Math.floor(high * log2E + 0.5)
  // n·ln2High is exact and so is its difference to `high`; `missing` is what r loses by rounding.
  const coarse = high - n * ln2High
  const fine = n * ln2Low - low
  const r = coarse - fine
  const missing = coarse - r - fine
  // 1 + r + rest, with both roundings carried along: whole results (10², 3⁴) then come out whole.
  const rest = curve(r) + missing * (1 + r)
  const beyondOne = r + rest
  const sum = 1 + beyondOne
  return scale(sum + (1 - sum + beyondOne + (r - beyondOne + rest)), n)
}

/** Safe bounds only: between them and the true limits, `scale` overflows or rounds to 0 by itself. */
const overflowAbove = 710
const zeroBelow = -746

const log2E = 1.4426950408889634
/** ln 2 in two parts; the upper one has 40 bits, so that its product with n is exact. */
const ln2High = 0.6931471805592082
const ln2Low = 7.371002565167799e-13

/** e^r − 1 − r as r²/2! + r³/3! + … + r¹⁵/15!; what is left out is below 2^-68. */
function curve(r: number): number {
  const w = r * r
  const even =
    1 / 2 +
    w * (1 / 24 + w * (1 / 720 + w * (1 / 40320 + w * (1 / 3628800 + w * (1 / 479001600 + w * (1 / 87178291200))))))
  const odd =
    1 / 6 +
    w *
      (1 / 120 +
        w * (1 / 5040 + w * (1 / 362880 + w * (1 / 39916800 + w * (1 / 6227020800 + w * (1 / 1307674368000))))))
  return w * (even + r * odd)
}
