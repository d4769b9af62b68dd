/** Rounds the rows of a matrix to few bits, each with a scale of its own, and packs the codes. */
import type { Bits } from './model-file.ts'

export interface QuantisedRows {
  /** −top … top, row by row; top is 7, 31 or 127. */
  readonly codes: Int8Array
  readonly scales: Float32Array
}

export function quantiseRows(values: Float32Array, length: number, bits: Bits): QuantisedRows {
  const top = 2 ** (bits - 1) - 1
  const codes = new Int8Array(values.length)
  const scales = new Float32Array(values.length / length)
  for (let row = 0; row < scales.length; row++) {
    const own = values.subarray(row * length, (row + 1) * length)
    const scale = bits === 8 ? peakOf(own) / top : bestScale(own, top)
    scales[row] = scale
    for (let i = 0; i < length; i++) codes[row * length + i] = codeOf(own[i]!, scales[row]!, top)
  }
  return { codes, scales }
}

/** Largest value, and above 0 for a row of zeros. */
function peakOf(row: Float32Array): number {
  let peak = 1e-12
  for (let i = 0; i < row.length; i++) peak = Math.max(peak, Math.abs(row[i]!))
  return peak
}

/** With few bits, cutting the largest values makes the sum of squared errors smaller. */
function bestScale(row: Float32Array, top: number): number {
  const peak = peakOf(row)
  let best = peak / top
  let least = Infinity
  for (let part = 20; part >= 8; part--) {
    const scale = Math.fround((peak * part) / 20 / top)
    let errors = 0
    for (let i = 0; i < row.length; i++) {
      const error = row[i]! - codeOf(row[i]!, scale, top) * scale
      errors += error * error
    }
    if (errors >= least) continue
    least = errors
    best = scale
  }
  return best
}

function codeOf(value: number, scale: number, top: number): number {
  return Math.max(-top, Math.min(top, Math.round(value / scale)))
}

/** One code after the other, lowest bits first: 8 bits as they are, fewer bits as code + top + 1. A last byte may be read with the next one. */
export function packCodes(codes: Int8Array, bits: Bits): Uint8Array {
  if (bits === 8) return new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)
  const packed = new Uint8Array(Math.ceil((codes.length * bits) / 8) + 1)
  const middle = 2 ** (bits - 1)
  for (let i = 0; i < codes.length; i++) {
    const at = i * bits
    const shifted = (codes[i]! + middle) << (at & 7)
    packed[at >> 3]! |= shifted & 255
    packed[(at >> 3) + 1]! |= shifted >> 8
  }
  return packed
}
