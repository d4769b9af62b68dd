/** Reads the tensors of a safetensors file as 32-bit floats. Half-precision values are exact in them. */
import { recallError } from '../../core/model/errors.ts'

export interface Tensors {
  /** The values of a tensor of this shape, row by row. Throws `INVALID_ARGUMENT` if the file has none. */
  get(name: string, ...shape: readonly number[]): Float32Array
  /** The shape of a tensor, or undefined. */
  shapeOf(name: string): readonly number[] | undefined
}

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Opens the bytes of a whole file. Names may begin with `bert.`. Throws `INVALID_ARGUMENT` for other bytes. */
export function readSafetensors(file: Uint8Array): Tensors {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const headBytes = file.byteLength < 8 ? Infinity : Number(view.getBigUint64(0, true))
  if (8 + headBytes > file.byteLength) throw invalid('weights', 'must be a whole safetensors file')
  const entries = new Map<string, Entry>()
  for (const [name, entry] of Object.entries(headerOf(file.subarray(8, 8 + headBytes))))
    entries.set(name.replace(/^bert\./, ''), entry)
  return {
    shapeOf: (name) => entries.get(name)?.shape,
    get(name, ...shape) {
      const entry = entries.get(name)
      if (entry === undefined) throw invalid('weights', `must have the tensor ${name}`)
      if (entry.shape.join() !== shape.join())
        throw invalid(`weights.${name}`, `must have the shape ${shape.join(' × ')}, but has ${entry.shape.join(' × ')}`)
      const [from, to] = entry.data_offsets
      const count = shape.reduce((product, n) => product * n, 1)
      const read = readers[entry.dtype]
      if (read === undefined)
        throw invalid(`weights.${name}`, `must be of the type F16, BF16 or F32, not ${entry.dtype}`)
      if (to - from !== count * read.bytes || 8 + headBytes + to > file.byteLength)
        throw invalid(`weights.${name}`, 'must be whole')
      const start = 8 + headBytes + from
      const values = new Float32Array(count)
      for (let i = 0; i < count; i++) values[i] = read.at(view, start + i * read.bytes)
      return values
    },
  }
}

function headerOf(bytes: Uint8Array): Record<string, Entry> {
  try {
    const { __metadata__: _, ...entries } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, Entry>
    return entries
  } catch {
    throw invalid('weights', 'must be a safetensors file with a header of JSON')
  }
}

interface Reader {
  readonly bytes: number
  at(view: DataView, offset: number): number
}

const shared = new DataView(new ArrayBuffer(4))

const readers: Readonly<Record<string, Reader | undefined>> = {
  F32: { bytes: 4, at: (view, offset) => view.getFloat32(offset, true) },
  F16: { bytes: 2, at: (view, offset) => halfOf(view.getUint16(offset, true)) },
  BF16: {
    bytes: 2,
    at(view, offset) {
      shared.setUint32(0, view.getUint16(offset, true) * 2 ** 16)
      return shared.getFloat32(0)
    },
  },
}

function halfOf(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function invalid(field: string, problem: string) {
  return recallError('INVALID_ARGUMENT', problem, {
    field,
    hint: 'Give the weights of one BERT encoder as one safetensors file.',
  })
}
