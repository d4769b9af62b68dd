/**
 * The rule of compatible letters: a letter that Unicode keeps only for compatibility is read as the letters it stands for (`ﬁ` as fi, `Ａ` as A,
 * `²` as 2, `Ⅷ` as VIII), digits of every script as those of ASCII, and letters of Arabic that are written in several ways as one of them.
 */
import { characterClass, characterClasses, zeros } from './letters.ts'

/** The letters that stand for this one; null: it stands for itself. Never depends on the engine (see `latest`). */
export function compatibleLetters(codePoint: number): string | null {
  if (codePoint < 0xa0) return null
  let letters = known.get(codePoint)
  if (letters === undefined) known.set(codePoint, (letters = read(codePoint)))
  return letters
}

const known = new Map<number, string | null>()

/** The text with digits of ASCII; it keeps its length. */
export function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) =>
    digit.length === 1 ? (compatibleLetters(digit.charCodeAt(0)) ?? digit) : digit,
  )
}

function read(codePoint: number): string | null {
  const zero = zeros.find((one) => codePoint >= one && codePoint < one + 10)
  if (zero !== undefined) return String(codePoint - zero)
  const ofArabic = arabic.get(codePoint)
  if (ofArabic !== undefined) return ofArabic
  const kind = characterClass(codePoint)
  // Of a character that is assigned, Unicode never changes the normal form. Unassigned ones have no letter here.
  if (kind !== letter && kind !== unspaced) return null
  if (latest.some(([from, to]) => codePoint >= from && codePoint <= to)) return null
  const written = String.fromCodePoint(codePoint)
  const normal = written.normalize('NFKC')
  if (normal === written) return null
  const kinds = Array.from(normal, (character) => characterClass(character.codePointAt(0)!))
  const isGap = (at: number) => kinds[at] === gap || kinds[at] === letterGap
  // Of a letter in brackets, the letter. Fractions stay as they are, because they are several words.
  let from = 0
  let to = kinds.length
  while (from < to && isGap(from)) from++
  while (to > from && isGap(to - 1)) to--
  if (from === to || kinds.slice(from, to).some((_, i) => isGap(from + i))) return null
  const letters = Array.from(normal).slice(from, to).join('')
  return Array.from(letters, (character) => arabic.get(character.codePointAt(0)!) ?? character).join('')
}

const { gap, letter, unspaced, letterGap } = characterClasses

/** Characters with letters that stand for them, of Unicode 14 and 15: engines of older versions do not know them. */
const latest: readonly (readonly [from: number, to: number])[] = [
  [0xa7f2, 0xa7f4],
  [0x10780, 0x107bf],
  [0x1e030, 0x1e06f],
]

/** Forms of alef, yeh and kaf; and the stroke that only lengthens a word. */
const arabic: ReadonlyMap<number, string> = new Map([
  [0x0622, '\u0627'],
  [0x0623, '\u0627'],
  [0x0625, '\u0627'],
  [0x0671, '\u0627'],
  [0x0649, '\u064a'],
  [0x06cc, '\u064a'],
  [0x06a9, '\u0643'],
  [0x0640, ''],
])
