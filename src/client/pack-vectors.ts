/**
 * Copies the vectors of records into one buffer that is handed over instead of cloned: a vector that is a view into a
 * large buffer must not drag the whole of it across, and the caller's arrays must stay his own.
 */
import type { RecordInput, VectorChunk } from '../core/model/record.ts'

export interface Packed {
  readonly records: readonly RecordInput[]
  /** The one buffer, or none when there are no vectors. */
  readonly transfer: readonly ArrayBuffer[]
}

/** Records that carry vectors are copied shallowly; what is no vector stays for the engine to refuse. */
export function packVectors(records: readonly RecordInput[]): Packed {
  const total = records.reduce((sum, record) => sum + lengthOf(record?.vectors), 0)
  if (total === 0) return { records, transfer: [] }
  const buffer = new ArrayBuffer(total * Float32Array.BYTES_PER_ELEMENT)
  let used = 0
  const move = (vector: Float32Array): Float32Array => {
    const moved = new Float32Array(buffer, used * Float32Array.BYTES_PER_ELEMENT, vector.length)
    moved.set(vector)
    used += vector.length
    return moved
  }
  return { records: records.map((record) => moveVectors(record, move)), transfer: [buffer] }
}

/** A query vector as a copy of its own size, with the buffer to hand over. */
export function packVector(vector: Float32Array): { readonly vector: Float32Array; readonly transfer: ArrayBuffer[] } {
  const own = new Float32Array(vector)
  return { vector: own, transfer: [own.buffer] }
}

type Vectors = RecordInput['vectors']

function lengthOf(vectors: Vectors): number {
  if (vectors instanceof Float32Array) return vectors.length
  if (!Array.isArray(vectors)) return 0
  return vectors.reduce((sum, piece) => sum + (vectorOf(piece)?.length ?? 0), 0)
}

function moveVectors(record: RecordInput, move: (vector: Float32Array) => Float32Array): RecordInput {
  const vectors = record?.vectors
  if (vectors instanceof Float32Array) return { ...record, vectors: move(vectors) }
  if (!Array.isArray(vectors)) return record
  return { ...record, vectors: vectors.map((piece) => movePiece(piece, move)) }
}

function movePiece(piece: Float32Array | VectorChunk, move: (vector: Float32Array) => Float32Array) {
  const vector = vectorOf(piece)
  if (vector === undefined) return piece
  return piece instanceof Float32Array ? move(vector) : { ...piece, vector: move(vector) }
}

function vectorOf(piece: unknown): Float32Array | undefined {
  const vector = piece instanceof Float32Array ? piece : (piece as Partial<VectorChunk> | null | undefined)?.vector
  return vector instanceof Float32Array ? vector : undefined
}
