/**
 * Exact search: float64 brute force over all vectors; the best chunk of a record counts.
 * Slow on purpose: tests compare the int8 index and HNSW with it. Accepts any input that it can order.
 */

import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { cosine } from './cosine.ts'

export interface ExactRecord {
  readonly id: string
  /** The vectors of the record. A record without vectors is never found. */
  readonly vectors: readonly Float32Array[]
}

export interface ExactHit {
  readonly id: string
  readonly cosine: number
}

/** The `k` best records: by cosine, then by id in code point order, both descending. */
export function exactSearch(query: Float32Array, records: readonly ExactRecord[], k: number): ExactHit[] {
  return records
    .filter(({ vectors }) => vectors.length > 0)
    .map(({ id, vectors }) => ({ id, cosine: bestCosine(query, vectors) }))
    .sort((a, b) => b.cosine - a.cosine || compareCodePoints(b.id, a.id))
    .slice(0, k)
}

/** The cosine of the best vector of the record; −Infinity without vectors. */
export function bestCosine(query: Float32Array, vectors: readonly Float32Array[]): number {
  return vectors.reduce((best, vector) => Math.max(best, cosine(query, vector)), -Infinity)
}
