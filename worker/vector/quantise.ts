/**
 * One vector as bytes: [scale f32][residual f32][int8 × dimensions], little endian, of the vector scaled to unit length.
 * `residual` is ‖unit vector − decoded‖, rounded up, so the error of every estimate made from the bytes has a provable bound.
 * Only + − × ÷, sqrt and exact rounding are used: the same bytes in every engine. A zero vector is all zeros.
 */

import { recallError } from '../../src/core/model/errors.ts'

/** Bytes before the int8 part: scale and residual. */
export const pieceHeadBytes = 8

/** Bytes of an encoded piece. */
export function pieceBytes(dimensions: number): number {
  return pieceHeadBytes + dimensions
}

/** Encodes a vector of any length; throws `INVALID_ARGUMENT` when a component is not finite. */
export function encodeVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(pieceBytes(vector.length))
  const { norm, peak } = measureVector(vector)
  if (norm === 0) return bytes
  const toUnit = 1 / norm
  const scale = Math.fround((peak * toUnit) / largestCode)
  const toCode = toUnit / scale
  let squares = 0
  for (let place = 0; place < vector.length; place++) {
    const component = vector[place]!
    // The scale was rounded, but by 2^-24 at most: no code can round to more than 127.
    const code = component * toCode + roundingMagic - roundingMagic
    const error = component * toUnit - code * scale
    squares += error * error
    bytes[pieceHeadBytes + place] = code
  }
  const head = new DataView(bytes.buffer)
  head.setFloat32(0, scale, true)
  head.setFloat32(4, roundUp(Math.sqrt(squares)), true)
  return bytes
}

/** The unit vector the bytes stand for, in float64; for tests and inspection. */
export function decodeVector(piece: Uint8Array): Float64Array {
  const scale = scaleOf(piece)
  return Float64Array.from(piece.subarray(pieceHeadBytes), (code) => ((code << 24) >> 24) * scale)
}

/** The float32 factor from codes to components. */
export function scaleOf(piece: Uint8Array): number {
  return headOf(piece).getFloat32(0, true)
}

/** An upper bound of the distance between the unit vector and what the bytes decode to. */
export function residualOf(piece: Uint8Array): number {
  return headOf(piece).getFloat32(4, true)
}

/** Norm, largest size of a component and their sum; throws `INVALID_ARGUMENT` when a component is not finite. */
export function measureVector(vector: Float32Array): {
  readonly norm: number
  readonly peak: number
  readonly total: number
} {
  let squares = 0
  let peak = 0
  let total = 0
  for (let place = 0; place < vector.length; place++) {
    const size = Math.abs(vector[place]!)
    squares += size * size
    total += size
    if (size > peak) peak = size
  }
  if (Number.isFinite(squares)) return { norm: Math.sqrt(squares), peak, total }
  const place = vector.findIndex((component) => !Number.isFinite(component))
  throw recallError('INVALID_ARGUMENT', 'must be a finite number', {
    field: `vector[${place}]`,
    value: vector[place],
    hint: 'Check the embedder.',
  })
}

/** Added and taken away again, rounds a small float64 to an integer, half to even: exact, and much faster than a call. */
const roundingMagic = 6_755_399_441_055_744

const largestCode = 127

// The products above are off by some 1e-13 at most; 2^-22 is far more than both that and the rounding to float32.
function roundUp(residual: number): number {
  return Math.fround(residual * (1 + 2 ** -22))
}

function headOf(piece: Uint8Array): DataView {
  return new DataView(piece.buffer, piece.byteOffset, pieceHeadBytes)
}
