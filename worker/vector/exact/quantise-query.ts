/**
 * A query as int16, with what the kernel needs to turn a dot product into a cosine estimate and its margin.
 * It decides how fine the query may be: as fine as int16 allows, but never so that a 32-bit sum could overflow.
 */

import { measureVector } from '../quantise.ts'

export interface QuantisedQuery {
  /** dot · scale of the row · factor = cosine estimate. */
  readonly factor: number
  /** |exact − estimate| ≤ residual of the row + error. */
  readonly error: number
}

/** Writes the int16 query into `codes` from `first` on and states its error. A zero query has estimates and cosines of 0. */
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
  // q, v: unit vectors; q', v': what was kept of them. q·v − q'·v' = (q − q')·v + q'·(v − v'), hence by Cauchy-Schwarz
  // the error is at most |q − q'| + |q'| · residual; as no residual exceeds 1.001, what |q'| has above 1 can be added once.
  const excess = Math.max(0, Math.sqrt(squares) * factor - 1)
  return { factor, error: Math.sqrt(errors) + 2 * excess + roundingSlack }
}

const largestCode = 32_767

/** Σ|query| · 128 must stay below 2^31, also for bytes that no encoder of ours wrote. */
const largestTotal = 2 ** 24 - 1

/**
 * Covers what is rounded: estimates to units of 2^-30 (5e-10), products and sums in float64 over 4,096 dimensions
 * (some 4e-12), also those of the exact cosine it is compared with.
 */
const roundingSlack = 2 ** -30
