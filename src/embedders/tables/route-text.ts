/**
 * Decides whether a text is English, by the sum of its words' leanings. A positive leaning means that the word is more frequent in
 * English than in other languages with Latin letters. English texts keep the vectors of the English table.
 */
import { isOtherScript } from '../../core/text/tokenise/guess-english.ts'
import { isAscii, type WordPieces, wordPiecesOf } from './static-model.ts'
import { cutPart } from './cut-parts.ts'
import { fold, kinds } from './fold-text.ts'

export interface RouterTables {
  /** Pieces of the English table. */
  readonly english: WordPieces
  /** Pieces of both tables. */
  readonly joint: WordPieces
  /** By row of both tables: about 4 ln(frequency in English ÷ largest frequency in another language). */
  readonly leanings: Int8Array
}

export function createRouter(tables: RouterTables): (text: string) => boolean {
  const known = new Map<string, number>()
  const leaningOf = (word: string) => {
    const remembered = known.get(word)
    if (remembered !== undefined) return remembered
    const leaning = compute(word, tables)
    if (word.length <= longestRemembered) {
      if (known.size >= mostRemembered) known.clear()
      known.set(word, leaning)
    }
    return leaning
  }
  return (text) => {
    if (!isAscii(text) && isOtherScript(text)) return false
    let sum = 0
    let count = 0
    for (const word of text.match(words) ?? []) {
      if (!latinLetter.test(word)) continue
      count += 1
      sum += leaningOf(word)
    }
    return sum >= -Math.min(3, count >> 2)
  }
}

/** Texts repeat their words; the remembered ones need at most some 100 kB. */
const mostRemembered = 4_000
const longestRemembered = 24

const words = /[\p{L}\p{M}]+/gu
const latinLetter = /\p{Script=Latin}/u

function compute(word: string, { english, joint, leanings }: RouterTables): number {
  const accent = isAscii(word) ? 0 : accentLeaning
  const folded = fold(word)
  const row = joint.starts.get(folded) ?? english.starts.get(folded)
  if (row !== undefined) return accent + leanings[row]!
  const inEnglish = wordPiecesOf(folded, english).length || Number.POSITIVE_INFINITY
  return accent + (cutPart(folded, kinds.word, joint).length < inEnglish ? foreignLeaning : 0)
}

/** Leaning of a letter outside ASCII, and of a word that the joint vocabulary cuts into fewer pieces than the English one does. */
const accentLeaning = -12
const foreignLeaning = -2
