/** Fills an empty index from the codes in the store: one pass in slot order, without reading float32 vectors. */

import { contradictory } from '../scheduling/stored-order.ts'
import type { Store } from '../store/port/store.ts'
import type { ExactIndex } from '../vector/exact/exact.ts'

/** Codes added per batch: about 200 kB at 384 dimensions. */
const batchSize = 512

export function fillIndex(index: ExactIndex, store: Store, of: 'own' | 'standIn' = 'own'): void {
  let keys = new Uint32Array(batchSize)
  let packed = new Uint8Array(0)
  let length = 0
  const flush = () => {
    if (length > 0)
      index.addPacked(keys.subarray(0, length), packed.subarray(0, (packed.length / keys.length) * length))
    length = 0
  }
  store.eachCode((key, code) => {
    if (packed.length === 0) packed = new Uint8Array(batchSize * code.length)
    if (packed.length !== keys.length * code.length) throw contradictory()
    // All chunks of a record must be in one batch, so the batch grows if needed.
    if (length >= batchSize && keys[length - 1] !== key) flush()
    if (length === keys.length) {
      keys = grown(keys, Uint32Array)
      packed = grown(packed, Uint8Array)
    }
    keys[length] = key
    packed.set(code, length * code.length)
    length++
  }, of)
  flush()
}

function grown<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  array: T,
  make: new (length: number) => T,
): T {
  const larger = new make(array.length * 2)
  larger.set(array)
  return larger
}
