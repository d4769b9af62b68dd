/** Parses vectors: one Float32Array, or a list of chunks; finite, of equal length. The store checks the space. */
import { recallError } from '../model/errors.ts'
import type { VectorChunk } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { optionalNumber, parseObject, refuse } from './parse-fields.ts'

export function parseVectors(value: unknown): readonly VectorChunk[] {
  const list = value instanceof Float32Array ? [value] : value
  if (!Array.isArray(list)) {
    throw refuse(
      'vectors',
      value,
      'must be a Float32Array or an array of Float32Arrays',
      'Give one Float32Array, or one for each chunk of the text.',
    )
  }
  if (list.length > tuning.maxVectorsPerRecord) {
    throw refuse('vectors', list, `must have at most ${tuning.maxVectorsPerRecord} vectors`, 'Split the record.')
  }
  const chunks = Array.from(list, (entry, i) => parseChunk(entry, `vectors[${i}]`))
  for (const [i, chunk] of chunks.entries()) checkLength(chunk.vector, chunks[0]?.vector.length ?? 0, `vectors[${i}]`)
  return chunks
}

/** A query vector, or the vector of one chunk: 1 to 4,096 finite elements. */
export function parseVector(value: unknown, field: string): Float32Array {
  if (!(value instanceof Float32Array)) {
    throw recallError('INVALID_ARGUMENT', 'must be a Float32Array', { field, value, hint: 'Give a Float32Array.' })
  }
  if (value.length === 0 || value.length > tuning.maxDimensions) {
    throw recallError('DIMENSION_MISMATCH', `must have 1 to ${tuning.maxDimensions} dimensions`, {
      field,
      value,
      hint: 'Give a vector of the embedder of this store.',
    })
  }
  for (let i = 0; i < value.length; i++) {
    if (!Number.isFinite(value[i])) {
      throw recallError('INVALID_ARGUMENT', `must hold finite numbers, but element ${i} is not finite`, {
        field,
        value: value[i],
        hint: 'Give finite numbers only.',
      })
    }
  }
  return value
}

function parseChunk(entry: unknown, field: string): VectorChunk {
  if (entry instanceof Float32Array) return { vector: checked(entry, field) }
  const chunk = parseObject(entry, field, new Set(['vector', 'from', 'to']))
  return {
    vector: checked(chunk.vector, `${field}.vector`),
    from: optionalNumber(chunk, 'from', { min: 0, integer: true }, field) ?? undefined,
    to: optionalNumber(chunk, 'to', { min: 0, integer: true }, field) ?? undefined,
  }
}

function checked(value: unknown, field: string): Float32Array {
  if (!(value instanceof Float32Array)) throw refuse(field, value, 'must be a Float32Array', 'Give a Float32Array.')
  for (let i = 0; i < value.length; i++) {
    if (!Number.isFinite(value[i]))
      throw refuse(`${field}[${i}]`, value[i], 'must be finite', 'Give finite numbers only.')
  }
  return value
}

function checkLength(vector: Float32Array, expected: number, field: string): void {
  if (vector.length === 0 || vector.length > tuning.maxDimensions || vector.length !== expected) {
    throw recallError('DIMENSION_MISMATCH', `must have ${expected || 'at least 1'} dimensions`, {
      field,
      value: vector,
      hint: `Give vectors of one length, from 1 to ${tuning.maxDimensions}.`,
    })
  }
}
