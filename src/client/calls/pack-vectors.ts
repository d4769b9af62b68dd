/**
 * Copies the vectors of records into one buffer, which is transferred to the engine instead of cloned. Cloning a view would clone its
 * whole buffer, and transferring the caller's own buffers would take them away.
 */
import type { RecordInput, VectorChunk } from '../../core/model/record.ts'

export interface Packed {
  readonly records: readonly RecordInput[]
  /** The buffer; an empty list without vectors. */
  readonly transfer: readonly ArrayBuffer[]
}

/** Makes shallow copies of records with vectors. Invalid vectors stay, and the engine refuses them. */
export function packVectors(records: readonly RecordInput[]): Packed {
  let total = 0
  const count = (vector: Float32Array) => {
    total += vector.length
    return vector
  }
  for (const record of records) mapVectors(record, count)
  if (total === 0) return { records, transfer: [] }
  const all = new Float32Array(total)
  let used = 0
  const move = (vector: Float32Array) => {
    all.set(vector, used)
    used += vector.length
    return all.subarray(used - vector.length, used)
  }
  return { records: records.map((record) => mapVectors(record, move)), transfer: [all.buffer] }
}

/** Returns a copy of a query vector, with its buffer to transfer. */
export function packVector(vector: Float32Array): { readonly vector: Float32Array; readonly transfer: ArrayBuffer[] } {
  const own = new Float32Array(vector)
  return { vector: own, transfer: [own.buffer] }
}

function mapVectors(record: RecordInput, map: (vector: Float32Array) => Float32Array): RecordInput {
  const vectors = record?.vectors
  if (vectors instanceof Float32Array) return { ...record, vectors: map(vectors) }
  if (!Array.isArray(vectors)) return record
  return { ...record, vectors: vectors.map((chunk) => mapChunk(chunk, map)) }
}

function mapChunk(chunk: Float32Array | VectorChunk, map: (vector: Float32Array) => Float32Array) {
  if (chunk instanceof Float32Array) return map(chunk)
  return chunk?.vector instanceof Float32Array ? { ...chunk, vector: map(chunk.vector) } : chunk
}
