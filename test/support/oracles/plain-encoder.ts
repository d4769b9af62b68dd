/** A BERT encoder in plain loops and the engine's own arithmetic in doubles: what the kernel must come close to. */

export interface PlainShape {
  readonly size: number
  readonly inner: number
  readonly layers: number
  readonly heads: number
  readonly pooling: 'mean' | 'cls'
}

type Matrix = number[][]

/** The unit vector of a text with these rows of the table of words. `get`: the values of a tensor. */
export function plainVector(get: (name: string) => Float32Array, rows: readonly number[], shape: PlainShape): number[] {
  const { size, inner, layers, heads, pooling } = shape
  const at = (name: string, row: number) => Array.from(get(name).subarray(row * size, (row + 1) * size))
  const [words, places, types] = ['word', 'position', 'token_type'].map(
    (kind) => `embeddings.${kind}_embeddings.weight`,
  )
  const normed = (x: Matrix, name: string) => x.map((row) => norm(row, get(`${name}.weight`), get(`${name}.bias`)))
  const dense = (x: Matrix, name: string, outputs: number) =>
    x.map((row) => product(row, get(`${name}.weight`), get(`${name}.bias`), outputs))
  let x = rows.map((row, t) => plus(plus(at(words!, row), at(places!, t)), at(types!, 0)))
  x = normed(x, 'embeddings.LayerNorm')
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      dense(x, `${name}.attention.self.${part}`, size),
    )
    const mixed = attend(query!, key!, value!, heads)
    const seen = dense(mixed, `${name}.attention.output.dense`, size)
    x = normed(
      x.map((row, t) => plus(row, seen[t]!)),
      `${name}.attention.output.LayerNorm`,
    )
    const wide = dense(x, `${name}.intermediate.dense`, inner).map((row) => row.map(gelu))
    const thought = dense(wide, `${name}.output.dense`, size)
    x = normed(
      x.map((row, t) => plus(row, thought[t]!)),
      `${name}.output.LayerNorm`,
    )
  }
  const pooled = pooling === 'cls' ? x[0]! : x.reduce(plus)
  const length = Math.sqrt(pooled.reduce((sum, v) => sum + v * v, 0))
  return pooled.map((v) => v / length)
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, squaresA, squaresB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    squaresA += a[i]! ** 2
    squaresB += b[i]! ** 2
  }
  return dot / Math.sqrt(squaresA * squaresB)
}

function attend(query: Matrix, key: Matrix, value: Matrix, heads: number): Matrix {
  const width = query[0]!.length / heads
  return query.map((row) => {
    const out = row.map(() => 0)
    for (let head = 0; head < heads; head++) {
      const from = head * width
      const scores = key.map((other) => {
        let dot = 0
        for (let i = from; i < from + width; i++) dot += row[i]! * other[i]!
        return dot / Math.sqrt(width)
      })
      const top = Math.max(...scores)
      const weights = scores.map((score) => Math.exp(score - top))
      const sum = weights.reduce((total, weight) => total + weight, 0)
      for (const [t, weight] of weights.entries())
        for (let i = from; i < from + width; i++) out[i]! += (weight / sum) * value[t]![i]!
    }
    return out
  })
}

function plus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((v, i) => v + b[i]!)
}

function product(row: readonly number[], weight: Float32Array, bias: Float32Array, outputs: number): number[] {
  return Array.from({ length: outputs }, (_, m) => {
    let sum = bias[m]!
    for (let k = 0; k < row.length; k++) sum += weight[m * row.length + k]! * row[k]!
    return sum
  })
}

function norm(row: readonly number[], weight: Float32Array, bias: Float32Array): number[] {
  const mean = row.reduce((sum, v) => sum + v, 0) / row.length
  const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / row.length
  return row.map((v, i) => ((v - mean) / Math.sqrt(variance + 1e-12)) * weight[i]! + bias[i]!)
}

function gelu(x: number): number {
  return (x * (1 + erf(x / Math.SQRT2))) / 2
}

/** The series near 0, the continued fraction beyond. */
function erf(x: number): number {
  const z = Math.abs(x)
  if (z > 6) return Math.sign(x)
  if (z < 2.5) {
    let term = z
    let sum = z
    for (let n = 1; n < 60; n++) {
      term *= -(z * z) / n
      sum += term / (2 * n + 1)
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI)
  }
  let fraction = 0
  for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction)
  return Math.sign(x) * (1 - Math.exp(-z * z) / (z + fraction) / Math.sqrt(Math.PI))
}
