/**
 * Computes vectors with the built-in model: a WordPiece vocabulary with one int8 row per piece. A text's vector is the normalised sum of
 * the rows of its pieces. It uses only + × ÷ and sqrt on fixed tables, so every JavaScript engine gives the same bits.
 */
import { recallError } from '../core/model/errors.ts'
import { isTokenCharacter } from '../core/text/tokenise/letters.ts'

export interface StaticModel {
  readonly space: string
  readonly dimensions: number
  /** Size of the table. */
  readonly bytes: number
  /** Returns a unit vector, or all zeros if the vocabulary has no piece of the text. */
  embed(text: string): Float32Array
}

/** Reads a table that pack-model.mjs wrote, and keeps its bytes. Throws `INVALID_CONFIG` for other bytes. */
export function createStaticModel(bytes: ArrayBuffer): StaticModel {
  const { space, dimensions, vocabulary, scales, rows } = readTable(bytes)
  const pieces = indexPieces(vocabulary)
  return {
    space,
    dimensions,
    bytes: bytes.byteLength,
    embed(text) {
      const vector = new Float32Array(dimensions)
      for (const word of wordsOf(text)) {
        for (const row of piecesOf(word, pieces)) {
          const scale = scales[row]!
          if (scale !== 0) addRow(vector, rows, row * dimensions, scale)
        }
      }
      return normalise(vector)
    },
  }
}

/** Number of bytes before the header: magic and the header's length. */
const preambleBytes = 8
const magic = 'SJT1'

interface Table {
  readonly space: string
  readonly dimensions: number
  readonly vocabulary: readonly string[]
  readonly scales: Float32Array
  readonly rows: Int8Array
}

/** Layout: magic, header length (u32, little-endian), JSON header, then three parts at the offsets in the header. */
function readTable(bytes: ArrayBuffer): Table {
  const view = new DataView(bytes)
  const decoder = new TextDecoder()
  if (bytes.byteLength < preambleBytes || decoder.decode(new Uint8Array(bytes, 0, 4)) !== magic) throw unreadable()
  const headerBytes = view.getUint32(4, true)
  if (bytes.byteLength < preambleBytes + headerBytes) throw unreadable()
  const { model, parts, totalBytes } = JSON.parse(
    decoder.decode(new Uint8Array(bytes, preambleBytes, headerBytes)),
  ) as Header
  if (totalBytes !== bytes.byteLength) throw unreadable()
  const [vocabularyAt, vocabularyBytes] = parts.vocabulary
  return {
    space: model.name,
    dimensions: model.dim,
    vocabulary: decoder
      .decode(new Uint8Array(bytes, vocabularyAt, vocabularyBytes))
      .split('\n')
      .slice(0, model.vocab),
    scales: readFloats(view, parts.scales[0], model.vocab),
    rows: new Int8Array(bytes, parts.rows[0], model.vocab * model.dim),
  }
}

interface Header {
  readonly model: { readonly name: string; readonly dim: number; readonly vocab: number }
  /** Part → [offset, bytes]. */
  readonly parts: Readonly<Record<'vocabulary' | 'scales' | 'rows', readonly [number, number]>>
  readonly totalBytes: number
}

function readFloats(view: DataView, offset: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(offset + 4 * i, true))
}

function unreadable() {
  return recallError('INVALID_CONFIG', 'must lead to the whole embedding table of this version', {
    field: 'assets.embedding',
    hint: 'Serve minilm-static-128.bin of the package, unchanged.',
  })
}

interface Pieces {
  readonly starts: ReadonlyMap<string, number>
  /** Pieces inside a word, without their `##`. */
  readonly continuations: ReadonlyMap<string, number>
  readonly longest: number
}

function indexPieces(vocabulary: readonly string[]): Pieces {
  const starts = new Map<string, number>()
  const continuations = new Map<string, number>()
  let longest = 0
  for (const [row, piece] of vocabulary.entries()) {
    longest = Math.max(longest, piece.length)
    if (piece.startsWith('##')) continuations.set(piece.slice(2), row)
    else starts.set(piece, row)
  }
  return { starts, continuations, longest }
}

/** Splits a text as the model's vocabulary was built: lower-case words without accents, and every other character by itself. */
function wordsOf(text: string): readonly string[] {
  if (isAscii(text)) return text.toLowerCase().match(asciiWords) ?? []
  return (
    text
      .normalize('NFD')
      .replace(nonspacingMarks, dropOldMark)
      .toLowerCase()
      .match(words)
      ?.flatMap(splitAtNewLetters) ?? []
  )
}

const asciiWords = /[a-z0-9]+|[^a-z0-9\s]/g
const words = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu
const nonspacingMarks = /\p{Mn}/gu

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** Keeps marks newer than Unicode 15, because older engines do not recognize them as marks. */
function dropOldMark(mark: string): string {
  return isTokenCharacter(mark.codePointAt(0)!) ? '' : mark
}

/** Splits words at letters newer than Unicode 15, as engines do that do not know these letters. */
function splitAtNewLetters(word: string): string | readonly string[] {
  if (isAscii(word)) return word
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (isTokenCharacter(character.codePointAt(0)!)) {
      part += character
      continue
    }
    if (part !== '') parts.push(part)
    part = ''
    parts.push(character)
  }
  if (part !== '') parts.push(part)
  return parts
}

/** Returns the rows of a word's pieces, longest match first; none if a part of the word is not in the vocabulary. */
function piecesOf(word: string, { starts, continuations, longest }: Pieces): readonly number[] {
  const rows: number[] = []
  for (let at = 0; at < word.length; ) {
    const candidates = at === 0 ? starts : continuations
    let end = Math.min(word.length, at + longest)
    let row: number | undefined
    for (; end > at; end--) {
      row = candidates.get(word.slice(at, end))
      if (row !== undefined) break
    }
    if (row === undefined) return []
    rows.push(row)
    at = end
  }
  return rows
}

function addRow(vector: Float32Array, rows: Int8Array, from: number, scale: number): void {
  for (let i = 0; i < vector.length; i++) {
    vector[i] = vector[i]! + rows[from + i]! * scale
  }
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  return vector.map((value) => value / length)
}
