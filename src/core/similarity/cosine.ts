/**
 * Computes the exact cosine: float64, summed in index order, so every engine gives the same bits.
 * Estimates (int8 rows, graphs) are checked against it.
 */

/** Cosine of two vectors of equal length; 0 if either is zero. Rounding may exceed ±1 by about 1e-15. */
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

/** Euclidean length in float64, where squares of float32 neither overflow nor underflow. */
export function normOf(vector: Float32Array): number {
  let squares = 0
  for (let place = 0; place < vector.length; place++) {
    const component = vector[place]!
    squares += component * component
  }
  return Math.sqrt(squares)
}
