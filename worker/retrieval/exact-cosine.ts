/** The cosine of a record as float64 brute force has it: that of its best piece, read from the store. */
import { recallError } from '../../src/core/model/errors.ts'
import { cosine } from '../../src/core/similarity/cosine.ts'
import type { Store } from '../store/port/store.ts'

/** Throws STORE_CORRUPT for a record whose vectors are gone: deciding would ask for them for ever. */
export function exactCosine(query: Float32Array, store: Store, key: number): number {
  let best = Number.NEGATIVE_INFINITY
  store.vectorsOf(key, (piece) => {
    best = Math.max(best, cosine(query, piece))
  })
  if (best === Number.NEGATIVE_INFINITY) {
    throw recallError('STORE_CORRUPT', 'The store lacks the vector of a code', {
      hint: 'Import the latest export into a new store.',
    })
  }
  return best
}
