/**
 * Computes vectors with the built-in model: a WordPiece vocabulary with one int8 row per piece. A text's vector is the normalised sum of
 * the rows of its pieces. It uses only + × ÷ and sqrt on fixed tables, so every JavaScript engine gives the same bits.
 */
import { isTokenCharacter } from '../../core/text/tokenise/letters.ts'
import { type KnownTable, readTableFile } from './table-file.ts'

export interface StaticModel {
  readonly space: string
  readonly dimensions: number
  /** Size of the table. */
  readonly bytes: number
  /** Whether the table has the word as one piece. */
  isPiece(word: string): boolean
  /** Returns a unit vector, or all zeros if the vocabulary has no word piece of the text. */
  embed(text: string): Float32Array
}

/** The model with the parts that the tables of other languages build on. */
export interface EnglishModel extends StaticModel {
  readonly vocabulary: readonly string[]
  readonly pieces: WordPieces
  /** Adds the row of a piece to a vector. */
  addRow(vector: Float32Array, row: number): void
}

export const englishTable: KnownTable = { file: 'minilm-static-128.bin', field: 'assets.embedding' }

/** Reads a table that pack-model.mjs wrote, and keeps its bytes. Throws `INVALID_CONFIG` for other bytes. */
export function createStaticModel(bytes: ArrayBuffer): EnglishModel {
  const { name, dimensions, vocabulary, scales, startOf } = readTableFile(bytes, englishTable)
  const rows = new Int8Array(bytes, startOf('rows'), vocabulary.length * dimensions)
  const pieces = indexWordPieces(vocabulary)
  const addRow = (vector: Float32Array, row: number) => {
    const scale = scales[row]!
    if (scale === 0) return
    const from = row * dimensions
    for (let i = 0; i < dimensions; i++) vector[i] = vector[i]! + rows[from + i]! * scale
  }
  return {
    space: name,
    dimensions,
    bytes: bytes.byteLength,
    vocabulary,
    pieces,
    addRow,
    isPiece: (word) => pieces.starts.has(word),
    embed(text) {
      const vector = new Float32Array(dimensions)
      for (const word of wordsOf(text)) for (const row of wordPiecesOf(word, pieces)) addRow(vector, row)
      return normalise(vector)
    },
  }
}

export interface WordPieces {
  readonly starts: ReadonlyMap<string, number>
  /** Pieces inside a word, without their `##`. */
  readonly continuations: ReadonlyMap<string, number>
  readonly longest: number
}

function indexWordPieces(vocabulary: readonly string[]): WordPieces {
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
      .replace(longMarkRuns, dropMarks)
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
/** `normalize` takes quadratic time to sort the marks of one letter. */
const longMarkRuns = /\p{M}{31,}/gu
/** All marks that `normalize` sorts. No table has a piece for the spacing ones among them. */
const sortedMarks = /[\p{Mn}\u302e\u302f\u{16ff0}\u{16ff1}\u{1d165}\u{1d166}\u{1d16d}-\u{1d172}]/gu

/** Changes no vector: these marks are removed later, too. */
function dropMarks(run: string): string {
  return run.replace(sortedMarks, (mark) => (isTokenCharacter(mark.codePointAt(0)!) ? '' : unknownSign))
}

/** Cuts words as a character does that the engine does not know. No table has a piece for it. */
export const unknownSign = '\uffff'

export function isAscii(text: string): boolean {
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
export function wordPiecesOf(word: string, { starts, continuations, longest }: WordPieces): readonly number[] {
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

/** Scales the vector to unit length, in place; zeros stay. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! / length
  return vector
}
