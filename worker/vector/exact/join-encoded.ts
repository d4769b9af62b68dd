/** Joins encoded vectors into the packed form that rows are added in. */
import { recallError } from '../../../src/core/model/errors.ts'
import { encodedBytes } from '../quantise.ts'

export function joinEncoded(codes: readonly Uint8Array[], dimensions: number): Uint8Array {
  const bytes = encodedBytes(dimensions)
  const packed = new Uint8Array(codes.length * bytes)
  codes.forEach((encoded, place) => {
    if (encoded.length !== bytes) throw wrongLength(encoded, dimensions)
    packed.set(encoded, place * bytes)
  })
  return packed
}

function wrongLength(encoded: Uint8Array, dimensions: number): Error {
  return recallError(
    'DIMENSION_MISMATCH',
    `The data of a vector with ${dimensions} dimensions must be ${encodedBytes(dimensions)} bytes`,
    {
      value: encoded.length,
      hint: 'Encode with the embedding space of this store.',
    },
  )
}
