/**
 * Exact search: float64 brute force over everything, chunks folded to their record by the best one.
 * Slow on purpose: it is the oracle by which the int8 index and HNSW are tested, and it refuses no input it can order.
 */

import { cosine } from './cosine.ts'

export interface ExactRecord {
  readonly id: string
  /** The record's vectors; a record without any is never found. */
  readonly vectors: readonly Float32Array[]
}

export interface ExactHit {
  readonly id: string
  readonly cosine: number
}

/** The `k` best records: cosine descending, then id descending by code points. */
export function exactSearch(query: Float32Array, records: readonly ExactRecord[], k: number): ExactHit[] {
  return records
    .filter(({ vectors }) => vectors.length > 0)
    .map(({ id, vectors }) => ({ id, cosine: bestCosine(query, vectors) }))
    .sort((a, b) => b.cosine - a.cosine || compareCodePoints(b.id, a.id))
    .slice(0, k)
}

/** The record's cosine: that of its best vector; −Infinity without any. */
export function bestCosine(query: Float32Array, vectors: readonly Float32Array[]): number {
  return vectors.reduce((best, vector) => Math.max(best, cosine(query, vector)), -Infinity)
}

function compareCodePoints(a: string, b: string): number {
  for (let place = 0; ; ) {
    const x = a.codePointAt(place) ?? -1
    const y = b.codePointAt(place) ?? -1
    if (x !== y || x === -1) return x - y
    place += x > 0xffff ? 2 : 1
  }
}
