/**
 * Encodes a vector, scaled to unit length, as bytes: [scale f32][residual f32][int8 × dimensions], little endian.
 * `residual` is ‖unit vector − decoded‖, rounded up, so the error of every estimate from these bytes has a provable bound.
 * The code uses only + − × ÷, sqrt and exact rounding, so every engine writes the same bytes. A zero vector gives all zeros.
 */

import { recallError } from '../../src/core/model/errors.ts'

/** Bytes before the int8 part: scale and residual. */
export const encodedHeadBytes = 8

/** Bytes of an encoded vector. */
export function encodedBytes(dimensions: number): number {
  return encodedHeadBytes + dimensions
}

/** Encodes a vector of any length; throws `INVALID_ARGUMENT` when a component is not finite. */
export function encodeVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(encodedBytes(vector.length))
  const { norm, peak } = measureVector(vector)
  if (norm === 0) return bytes
  const toUnit = 1 / norm
  const scale = Math.fround((peak * toUnit) / largestCode)
  const toCode = toUnit / scale
  let squares = 0
  for (let place = 0; place < vector.length; place++) {
    const component = vector[place]!
    // Rounding changed the scale by at most 2^-24, so every code is at most 127.
    const code = component * toCode + roundingMagic - roundingMagic
    const error = component * toUnit - code * scale
    squares += error * error
    bytes[encodedHeadBytes + place] = code
  }
  const head = new DataView(bytes.buffer)
  head.setFloat32(0, scale, true)
  head.setFloat32(4, roundUp(Math.sqrt(squares)), true)
  return bytes
}

/** Decodes the bytes to a float64 unit vector; for tests and inspection. */
export function decodeVector(encoded: Uint8Array): Float64Array {
  const scale = scaleOf(encoded)
  return Float64Array.from(encoded.subarray(encodedHeadBytes), (code) => ((code << 24) >> 24) * scale)
}

/** The float32 factor from codes to components. */
export function scaleOf(encoded: Uint8Array): number {
  return headOf(encoded).getFloat32(0, true)
}

/** An upper bound of the distance between the unit vector and the decoded vector. */
export function residualOf(encoded: Uint8Array): number {
  return headOf(encoded).getFloat32(4, true)
}

/** Norm, largest |component| and Σ|component|. Throws `INVALID_ARGUMENT` when a component is not finite. */
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

/** Adding and subtracting this rounds a small float64 to an integer, half to even. Exact, and much faster than a call. */
const roundingMagic = 6_755_399_441_055_744

const largestCode = 127

// The error of the products above is at most about 1e-13. 2^-22 covers that and the rounding to float32.
function roundUp(residual: number): number {
  return Math.fround(residual * (1 + 2 ** -22))
}

function headOf(encoded: Uint8Array): DataView {
  return new DataView(encoded.buffer, encoded.byteOffset, encodedHeadBytes)
}
