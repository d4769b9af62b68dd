/** Computes a record's exact cosine in float64: the largest over its stored chunks. */
import { recallError } from '../../../src/core/model/errors.ts'
import { cosine } from '../../../src/core/similarity/cosine.ts'
import type { Store } from '../../store/port/store.ts'

/** Throws STORE_CORRUPT if the record has no vectors; otherwise deciding would request them in an endless loop. */
export function exactCosine(query: Float32Array, store: Store, key: number): number {
  let best = Number.NEGATIVE_INFINITY
  for (const chunk of store.cached.vectorsOf(key)) best = Math.max(best, cosine(query, chunk))
  if (best === Number.NEGATIVE_INFINITY) {
    throw recallError('STORE_CORRUPT', 'The store lacks the vector of a code', {
      hint: 'Import the latest export into a new store.',
    })
  }
  return best
}
