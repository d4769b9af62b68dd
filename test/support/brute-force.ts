/**
 * The oracle of exact search: every vector against the question, in float64, in plain loops. Imports nothing of the
 * engine; ids are compared as UTF-8 bytes, which is the order of code points.
 */

export interface BruteRecord {
  readonly id: string
  readonly vectors: readonly Float32Array[]
}

export interface BruteHit {
  readonly id: string
  readonly cosine: number
}

/** The `limit` records with the best cosines, each by its best vector; of equals the higher id comes first. */
export function bruteForce(query: Float32Array, records: readonly BruteRecord[], limit: number): BruteHit[] {
  const hits: (BruteHit & { readonly bytes: Buffer })[] = []
  for (const { id, vectors } of records) {
    let best: number | null = null
    for (const vector of vectors) {
      const cosine = plainCosine(query, vector)
      if (best === null || cosine > best) best = cosine
    }
    if (best !== null) hits.push({ id, cosine: best, bytes: Buffer.from(id, 'utf8') })
  }
  hits.sort((one, other) => other.cosine - one.cosine || Buffer.compare(other.bytes, one.bytes))
  return hits.slice(0, limit).map(({ id, cosine }) => ({ id, cosine }))
}

/** The textbook cosine of two vectors; 0 where one of them is zero. */
export function plainCosine(one: Float32Array, other: Float32Array): number {
  const lengths = Math.sqrt(plainProduct(one, one)) * Math.sqrt(plainProduct(other, other))
  return lengths === 0 ? 0 : plainProduct(one, other) / lengths
}

function plainProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
}
