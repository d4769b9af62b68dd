/**
 * Checks keys and bytes before they become rows. Refuses bytes that `encodeVector` cannot have written, for example
 * from a damaged store: a wrong residual would make the bounds of the index wrong.
 */

import { recallError } from '../../src/core/model/errors.ts'
import { encodedBytes } from './quantise.ts'

/** Throws `INVALID_ARGUMENT` unless keys ascend (equal neighbours are chunks of one record) and are below 2^32 − 1. */
export function checkKeys(keys: Uint32Array): void {
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place]!
    if (key < (keys[place - 1] ?? 0) || key === reservedKey) {
      throw recallError('INVALID_ARGUMENT', 'must be at least the previous key and below 2^32 − 1', {
        field: `keys[${place}]`,
        value: key,
      })
    }
  }
}

/** Throws `DIMENSION_MISMATCH` for a wrong length, `STORE_CORRUPT` for a scale or residual out of range. */
export function checkEncoded(packed: Uint8Array, count: number, dimensions: number): void {
  const bytes = encodedBytes(dimensions)
  if (packed.length !== count * bytes) {
    throw recallError(
      'DIMENSION_MISMATCH',
      `The data of ${count} vectors with ${dimensions} dimensions must be ${count * bytes} bytes`,
      {
        value: packed.length,
        hint: 'Encode with the embedding space of this store.',
      },
    )
  }
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let offset = 0; offset < packed.length; offset += bytes) {
    const scale = view.getFloat32(offset, true)
    const residual = view.getFloat32(offset + 4, true)
    if (!(scale >= 0 && scale <= largestScale && residual >= 0 && residual <= largestResidual)) {
      throw recallError('STORE_CORRUPT', 'An encoded vector has an impossible scale or residual', {
        value: `${scale}, ${residual}`,
        hint: 'Rebuild the encoded vectors from the stored float32 vectors.',
      })
    }
  }
}

const reservedKey = 0xffffffff

/** Components of a unit vector are at most 1; 0.001 more allows for rounding. */
const largestScale = 1.001 / 127
const largestResidual = 1.001
