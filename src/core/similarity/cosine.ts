/**
 * The cosine by which everything is judged: float64, summed in index order, so the same bits in every engine.
 * Estimates elsewhere (int8 rows, graphs) are measured against this and proven by it.
 */

/** Cosine of two vectors of one length; 0 when either is zero. Rounding may lead past ±1 by some 1e-15. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let place = 0; place < a.length; place++) {
    const x = a[place]!
    const y = b[place]!
    dot += x * y
    squaresA += x * x
    squaresB += y * y
  }
  if (squaresA === 0 || squaresB === 0) return 0
  return dot / (Math.sqrt(squaresA) * Math.sqrt(squaresB))
}

/** Euclidean length in float64; squares of float32 neither overflow nor vanish there. */
export function normOf(vector: Float32Array): number {
  let squares = 0
  for (let place = 0; place < vector.length; place++) {
    const component = vector[place]!
    squares += component * component
  }
  return Math.sqrt(squares)
}
