/**
 * The file of a converted encoder: magic, length of the header (u32, little-endian), header (JSON), then the sections at multiples of 64
 * bytes. `convertModel` writes it; the package scrubjay-minilm reads it.
 */
import { recallError } from '../../core/model/errors.ts'

export interface ModelHeader {
  readonly format: 1
  readonly name: string
  readonly dimensions: number
  /** Width of the layer between the two halves of a block. */
  readonly inner: number
  readonly layers: number
  readonly heads: number
  /** Highest number of tokens of a text; the rest of a longer text is not read. */
  readonly tokens: number
  readonly epsilon: number
  /** How token vectors become one vector: their mean, or the vector of the first token. */
  readonly pooling: 'mean' | 'cls'
  /** Prefixes of texts in the model's training, by role. */
  readonly prefixes: { readonly query: string; readonly document: string }
  /** Whether the words are in lower case without accents. */
  readonly lowercase: boolean
  readonly words: number
  /** Bits of a value in the table of words, and in the matrices of the layers. */
  readonly wordBits: Bits
  readonly layerBits: Bits
  /** Section → [offset after the header, bytes]. */
  readonly sections: Readonly<Record<string, readonly [offset: number, bytes: number]>>
}

export type Bits = 4 | 6 | 8

export interface ModelFile {
  readonly header: ModelHeader
  /** Everything after the header. */
  readonly body: Uint8Array<ArrayBuffer>
}

const magic = 'SJM1'
const alignment = 64

/** Writes a file whose bytes depend on its content alone. */
export function writeModelFile(
  header: Omit<ModelHeader, 'sections'>,
  contents: ReadonlyMap<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const sections: Record<string, [number, number]> = {}
  let end = 0
  for (const [name, { byteLength }] of contents) {
    sections[name] = [end, byteLength]
    end = aligned(end + byteLength)
  }
  const head = new TextEncoder().encode(JSON.stringify({ ...header, sections } satisfies ModelHeader))
  const start = aligned(8 + head.length)
  const file = new Uint8Array(start + end)
  file.set(new TextEncoder().encode(magic))
  new DataView(file.buffer).setUint32(4, head.length, true)
  file.set(head, 8)
  for (const [name, bytes] of contents) file.set(bytes, start + sections[name]![0])
  return file
}

/** Reads a whole file. Throws `INVALID_CONFIG` for other bytes. */
export function readModelFile(bytes: ArrayBuffer): ModelFile {
  const decoder = new TextDecoder()
  if (bytes.byteLength < 8 || decoder.decode(new Uint8Array(bytes, 0, 4)) !== magic) refuse('it has another beginning')
  const headBytes = new DataView(bytes).getUint32(4, true)
  const start = aligned(8 + headBytes)
  if (bytes.byteLength < start) refuse('it ends in its header')
  const header = parseHeader(decoder.decode(new Uint8Array(bytes, 8, headBytes)))
  const ends = Object.values(header.sections).map(([offset, length]) => aligned(offset + length))
  if (bytes.byteLength !== start + Math.max(0, ...ends)) refuse('its length is not that of its sections')
  return { header, body: new Uint8Array(bytes, start) }
}

function parseHeader(text: string): ModelHeader {
  try {
    const header = JSON.parse(text) as ModelHeader
    if (header.format === 1) return header
  } catch {
    refuse('its header is not JSON')
  }
  return refuse('it has another format')
}

function aligned(offset: number): number {
  return Math.ceil(offset / alignment) * alignment
}

function refuse(reason: string): never {
  throw recallError('INVALID_CONFIG', `must lead to a file of scrubjay convert-model: ${reason}`, {
    field: 'embedder.model',
    hint: 'Serve the file unchanged, or convert the model again.',
  })
}
