/** Computes a record's exact cosine in float64: the largest over its stored chunks. */
import { recallError } from '../../../src/core/model/errors.ts'
import { cosine } from '../../../src/core/similarity/cosine.ts'
import type { Store } from '../../store/port/store.ts'
import type { VectorIndex } from '../../vector/port.ts'

/** The vector of a question, and what it is compared with. */
export interface Comparison {
  readonly query: Float32Array
  readonly index: VectorIndex
  readonly store: Store
}

/** Throws STORE_CORRUPT if the record has no vectors; otherwise deciding would request them in an endless loop. */
export function exactCosine({ query, index, store }: Comparison, key: number): number {
  const part = index.partOf?.(query, key)
  let best = Number.NEGATIVE_INFINITY
  for (const chunk of store.cached.vectorsOf(key)) best = Math.max(best, cosine(part?.query ?? query, chunk))
  if (best === Number.NEGATIVE_INFINITY) {
    throw recallError('STORE_CORRUPT', 'The store lacks the vector of a code', {
      hint: 'Import the latest export into a new store.',
    })
  }
  return part?.cosine(best) ?? best
}

/** Where the nearest of a record's vectors is from, in UTF-16 units; null if it is of the whole text, or does not say. */
export function nearestSpan({ query, index, store }: Comparison, key: number): readonly [number, number] | null {
  const part = index.partOf?.(query, key).query ?? query
  let best = Number.NEGATIVE_INFINITY
  let nearest = -1
  for (const [i, chunk] of store.cached.vectorsOf(key).entries()) {
    const own = cosine(part, chunk)
    // The first is that of the whole text.
    if (i > 0 && own > best) [best, nearest] = [own, i]
  }
  return nearest === -1 ? null : (store.vectorSpans(key)[nearest] ?? null)
}
