/**
 * Computes vectors with the English table and the table of 21 other languages, in one embedding space. Texts that the router calls English get
 * the vectors of the English table, bit for bit. Like that table it uses only + × ÷ and sqrt, so every engine gives the same bits.
 */
import { type EnglishModel, normalise, type StaticModel } from './static-model.ts'
import { type KnownTable, readTableFile } from './table-file.ts'
import { cutPart, joinWordPieces } from './cut-parts.ts'
import { dropYoung, eachPart } from './fold-text.ts'
import { createRouter } from './route-text.ts'

export interface LanguagesModel extends StaticModel {
  isEnglish(text: string): boolean
  /** Rows of the word pieces of a text that is not English, in its order. */
  rowsOf(text: string): readonly number[]
}

export const languagesTable: KnownTable = { file: 'multi-static-128.bin', field: 'assets.embeddingLanguages' }

/** Reads a table that pack-model.mjs wrote, and keeps its bytes. Throws `INVALID_CONFIG` for other bytes. */
export function createLanguagesModel(english: EnglishModel, bytes: ArrayBuffer): LanguagesModel {
  const { dimensions, vocabulary, scales, startOf } = readTableFile(bytes, languagesTable)
  const ownFrom = english.vocabulary.length
  const rows = new Uint8Array(bytes, startOf('rows'), (vocabulary.length * dimensions) / 2)
  const leanings = new Int8Array(bytes, startOf('leanings'), ownFrom + vocabulary.length)
  const joint = joinWordPieces(english.vocabulary, vocabulary)
  const isEnglish = createRouter({ english: english.pieces, joint, leanings })

  /** A byte has two values from −7 to 7, the first in its lower half. */
  const addOwnRow = (vector: Float32Array, line: number) => {
    const scale = scales[line]!
    let at = (line * dimensions) / 2
    for (let i = 0; i < dimensions; i += 2) {
      const pair = rows[at++]!
      vector[i] = vector[i]! + ((pair & 15) - 8) * scale
      vector[i + 1] = vector[i + 1]! + ((pair >> 4) - 8) * scale
    }
  }
  const rowsOf = (text: string) => {
    const found: number[] = []
    eachPart(text, (part, kind) => {
      for (const row of cutPart(part, kind, joint)) found.push(row)
    })
    return found
  }
  return {
    space: english.space,
    dimensions,
    bytes: english.bytes + bytes.byteLength,
    isPiece: (word) => joint.starts.has(word) || english.isPiece(word),
    isEnglish: (text) => isEnglish(dropYoung(text)),
    rowsOf: (text) => rowsOf(dropYoung(text)),
    embed(text) {
      const known = dropYoung(text)
      if (isEnglish(known)) return english.embed(text)
      const vector = new Float32Array(dimensions)
      for (const row of rowsOf(known))
        if (row < ownFrom) english.addRow(vector, row)
        else addOwnRow(vector, row - ownFrom)
      return normalise(vector)
    },
  }
}
