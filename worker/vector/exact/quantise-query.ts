/**
 * Encodes a query as int16, with the factors that turn a dot product into a cosine estimate and its margin.
 * The codes use the full int16 range, but are scaled down if a 32-bit sum could overflow otherwise.
 */

import { measureVector } from '../quantise.ts'

export interface QuantisedQuery {
  /** dot · scale of the row · factor = cosine estimate. */
  readonly factor: number
  /** |exact − estimate| ≤ residual of the row + error. */
  readonly error: number
}

/** Writes the int16 query into `codes` from `first` on. All estimates of a zero query are 0. */
export function quantiseQuery(query: Float32Array, codes: Int16Array, first: number): QuantisedQuery {
  const { norm, peak, total } = measureVector(query)
  if (norm === 0) {
    codes.fill(0, first, first + query.length)
    return { factor: 0, error: 0 }
  }
  const toCode = Math.min(largestCode / peak, (largestTotal - query.length) / total)
  const toUnit = 1 / norm
  const factor = toUnit / toCode
  let errors = 0
  let squares = 0
  for (let place = 0; place < query.length; place++) {
    const component = query[place]!
    const code = Math.round(component * toCode)
    const error = component * toUnit - code * factor
    errors += error * error
    squares += code * code
    codes[first + place] = code
  }
  // q, v: unit vectors; q', v': their quantised forms. q·v − q'·v' = (q − q')·v + q'·(v − v'), hence by Cauchy-Schwarz
  // the error is at most |q − q'| + |q'| · residual. Residuals are at most 1.001, so 2 · (|q'| − 1) covers |q'| above 1.
  const excess = Math.max(0, Math.sqrt(squares) * factor - 1)
  return { factor, error: Math.sqrt(errors) + 2 * excess + roundingSlack }
}

const largestCode = 32_767

/** Σ|query| · 128 must stay below 2^31, also for row codes of −128, which `encodeVector` never writes. */
const largestTotal = 2 ** 24 - 1

/**
 * Covers all rounding: estimates to units of 2^-30 (5e-10), and float64 products and sums over 4,096 dimensions
 * (about 4e-12), including those of the exact cosine.
 */
const roundingSlack = 2 ** -30
