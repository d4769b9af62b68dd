/**
 * Prepares texts for the vocabulary of the other languages: lower case, without accents and points of Latin, Greek, Cyrillic, Arabic and
 * Hebrew, then cut into parts. Characters newer than Unicode 15 cut words, so every engine gives the same parts.
 */
import { characterClass, characterClasses } from '../../core/text/tokenise/letters.ts'
import { isAscii, unknownSign } from './static-model.ts'

/** How a part is cut into pieces. */
export const kinds = {
  /** Longest match; pieces inside the word are other ones than at its start. */
  word: 0,
  /** Each sign, and each pair of neighbours. */
  han: 1,
  /** Longest match with the same pieces everywhere: Hiragana, Thai and Lao have no spaces between words. */
  unspaced: 2,
} as const

export type Kind = (typeof kinds)[keyof typeof kinds]

export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .replace(longMarkRuns, '$1')
    .normalize('NFKD')
    .replace(removedMarks, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

/** `normalize` takes quadratic time to sort the marks of one letter. No word has more than 30, as in Unicode's Stream-Safe Text Format. */
const longMarkRuns = /(\p{M}{30})\p{M}+/gu

/** Accents and points that are written or left out in the same word; also the line that stretches Arabic words. */
const removedMarks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640]/g

/**
 * Replaces characters that only an engine with a newer Unicode than 15 splits or folds, and three older signs. Other functions of this
 * file take the result.
 */
export function dropYoung(text: string): string {
  return isAscii(text) ? text : text.replace(notAscii, dropIfYoung)
}

const notAscii = /[^\0-\x7f]/gu

function dropIfYoung(character: string): string {
  if (characterClass(character.codePointAt(0)!) !== characterClasses.letterGap) return character
  return partOfWord.test(character) || character.normalize('NFKD') !== character ? unknownSign : character
}

const partOfWord = /[\p{L}\p{N}\p{M}]/u

/** Visits the parts of a text in their order. */
export function eachPart(text: string, visit: (part: string, kind: Kind) => void): void {
  for (const unit of fold(text).match(units) ?? []) {
    if (!unspacedSigns.test(unit)) visit(unit, kinds.word)
    else for (const part of unit.match(partsOfUnit)!) visit(part, kindOf(part.charCodeAt(0)))
  }
}

const units = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\s]/gu

const han = '\\u3005\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff'
const hiragana = '\\u3041-\\u309f'
const thai = '\\u0e00-\\u0eff'
const unspacedSigns = new RegExp(`[${han}${hiragana}${thai}]`)
const partsOfUnit = new RegExp(`[${han}]+|[${hiragana}]+|[${thai}]+|[^${han}${hiragana}${thai}]+`, 'g')

function kindOf(first: number): Kind {
  if ((first >= 0xe00 && first < 0xf00) || (first >= 0x3041 && first <= 0x309f)) return kinds.unspaced
  const isHan = first === 0x3005 || (first >= 0x3400 && first <= 0x9fff) || (first >= 0xf900 && first <= 0xfaff)
  // U+4DC0 to U+4DFF are hexagrams.
  return isHan && !(first >= 0x4dc0 && first <= 0x4dff) ? kinds.han : kinds.word
}
