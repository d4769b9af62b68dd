/**
 * Error-free sums and products: a pair (high, low) of doubles represents their exact sum, about 106 bits.
 * The algorithms are the classic ones (Dekker 1971, Knuth TAOCP 4.2.2). Overflow is not handled: callers stay below 2^990.
 */

/** An unevaluated sum: |low| is at most half a unit in the last place of `high`. */
export interface DoubleDouble {
  readonly high: number
  readonly low: number
}

/** a + b without error. */
export function exactSum(a: number, b: number): DoubleDouble {
  const high = a + b
  const fromB = high - a
  return { high, low: a - (high - fromB) + (b - fromB) }
}

/** a · b without error, unless the low half underflows. */
export function exactProduct(a: number, b: number): DoubleDouble {
  const high = a * b
  const aHigh = upperHalf(a)
  const aLow = a - aHigh
  const bHigh = upperHalf(b)
  const bLow = b - bHigh
  return { high, low: aLow * bLow - (high - aHigh * bHigh - aLow * bHigh - aHigh * bLow) }
}

/** a + b with a relative error near 2^-104, as long as the sum does not cancel. */
export function add(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const sum = exactSum(a.high, b.high)
  return exactSum(sum.high, sum.low + (a.low + b.low))
}

/** a · b with a relative error near 2^-104. */
export function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const product = exactProduct(a.high, b.high)
  return exactSum(product.high, product.low + (a.high * b.low + a.low * b.high))
}

/** a / b with a relative error near 2^-102. */
export function divide(a: number, b: DoubleDouble): DoubleDouble {
  const quotient = a / b.high
  const back = exactProduct(quotient, b.high)
  return exactSum(quotient, (a - back.high - back.low - quotient * b.low) / b.high)
}

/** The upper 26 bits of a double: after multiplying by 2^27 + 1, rounding cuts off the others. */
function upperHalf(a: number): number {
  const shifted = a * 134217729
  return shifted - (shifted - a)
}
