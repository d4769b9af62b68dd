/**
 * Natural logarithm, the same bits in every engine: x = 2^e · (1 + f), and the series of 2·artanh(f / (2 + f)).
 * Error below 1 ulp (measured in number.test.ts), for every double.
 */
import { exponentOf, scale } from './binary64.ts'

/**
 * The natural logarithm of `x`: NaN for negative numbers and NaN, -Infinity for ±0, as ECMAScript's `Math.log`,
 * but from + − × ÷ alone, so that a score computed in one engine is the score in all.
 */
export function log(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : NaN
  const exponent = exponentOf(x)
  const f = scale(x, -exponent) - 1
  const s = f / (2 + f)
  // log(1 + f) = 2s + s·tail(s²), and 2s = f − s·f: f is exact, so only the small correction is rounded.
  return exponent * ln2High + (f - (s * (f - tail(s * s)) - exponent * ln2Low))
}

/** ln 2 in two parts; the upper one has 40 bits, so that its product with an exponent is exact. */
const ln2High = 0.6931471805592082
const ln2Low = 7.371002565167799e-13

/**
 * 2z/3 + 2z²/5 + … + 2z¹¹/23 for z ≤ 0.0295; what is left out is below 2^-59 of the logarithm.
 * Even and odd powers are summed side by side: half the waiting of a single chain.
 */
function tail(z: number): number {
  const w = z * z
  const odd = z * (2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19 + w * (2 / 23))))))
  const even = w * (2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21)))))
  return odd + even
}
