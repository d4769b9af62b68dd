/**
 * Reads the files that pack-model.mjs writes. Layout: magic, header length (u32, little-endian), JSON header, then the parts at the
 * offsets in the header.
 */
import { recallError } from '../../core/model/errors.ts'

/** One of the package's tables: its file, and the option with its URL. */
export interface KnownTable {
  readonly file: string
  readonly field: 'assets.embedding' | 'assets.embeddingLanguages'
}

export interface TableFile {
  readonly name: string
  readonly dimensions: number
  readonly vocabulary: readonly string[]
  readonly scales: Float32Array
  /** Offset of the part with this name. Throws `INVALID_CONFIG` if the file has none. */
  startOf(part: 'rows' | 'leanings'): number
}

/** Reads a whole file. Throws `INVALID_CONFIG` for other bytes. */
export function readTableFile(bytes: ArrayBuffer, table: KnownTable): TableFile {
  const decoder = new TextDecoder()
  const { model, parts, totalBytes } = readHeader(bytes, decoder, table)
  const startOf = (part: keyof Header['parts']) => parts[part]?.[0] ?? refuseBytes(table)
  if (totalBytes !== bytes.byteLength) refuseBytes(table)
  return {
    name: model.name,
    dimensions: model.dim,
    vocabulary: decoder
      .decode(new Uint8Array(bytes, ...(parts.vocabulary ?? refuseBytes(table))))
      .split('\n')
      .slice(0, model.vocab),
    scales: readFloats(new DataView(bytes), startOf('scales'), model.vocab),
    startOf,
  }
}

/** Number of bytes before the header: magic and the header's length. */
const preambleBytes = 8
const magic = 'SJT1'

interface Header {
  readonly model: { readonly name: string; readonly dim: number; readonly vocab: number }
  /** Part → [offset, bytes]. */
  readonly parts: Readonly<
    Record<'vocabulary' | 'scales' | 'rows' | 'leanings', readonly [offset: number, bytes: number] | undefined>
  >
  readonly totalBytes: number
}

function readHeader(bytes: ArrayBuffer, decoder: TextDecoder, table: KnownTable): Header {
  if (bytes.byteLength < preambleBytes || decoder.decode(new Uint8Array(bytes, 0, 4)) !== magic) refuseBytes(table)
  const headerBytes = new DataView(bytes).getUint32(4, true)
  if (bytes.byteLength < preambleBytes + headerBytes) refuseBytes(table)
  return JSON.parse(decoder.decode(new Uint8Array(bytes, preambleBytes, headerBytes))) as Header
}

function readFloats(view: DataView, offset: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(offset + 4 * i, true))
}

function refuseBytes({ file, field }: KnownTable): never {
  throw recallError('INVALID_CONFIG', 'must lead to the whole embedding table of this version', {
    field,
    hint: `Serve ${file} of the package, unchanged.`,
  })
}
