/**
 * Classifies characters for the search: part of a word, a mark, or a gap, by Unicode 15.0 instead of the engine's tables. Also
 * says where SQLite's unicode61 (Unicode 6.1) differs. Characters newer than Unicode 15 are gaps. Unpacks its table on first
 * use.
 */

import { characterRuns, foldRuns } from './letters-table.ts'

/** The classes of `characterClass`, as bytes. */
export const characterClasses = {
  /** Not part of a word. */
  gap: 0,
  /** Letter or number of a script with spaces between words. */
  letter: 1,
  /** Letter of a script without spaces: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese, Javanese, Balinese and others near them. */
  unspaced: 2,
  /** Mark that unicode61 removes from a word, too. */
  mark: 3,
  /** Mark that is a gap to unicode61. Also 21 letters that are gaps to it: New Tai Lue vowels, two Vedic signs. */
  gapMark: 4,
  /** Mark that is a letter to unicode61. */
  letterMark: 5,
  /** A gap here, but a letter to unicode61, which treats all code points unassigned in Unicode 6.1 as letters: 🤔, ₽. */
  letterGap: 6,
} as const

/**
 * Whether the character belongs to a word: general categories L*, N*, M* and Co of Unicode 15.0.
 * Marks are included, so that a decomposed accent does not split its word.
 */
export function isTokenCharacter(codePoint: number): boolean {
  const kind = characterClass(codePoint)
  return kind !== characterClasses.gap && kind !== characterClasses.letterGap
}

/** The class of a code point (0..0x10FFFF), one of `characterClasses`. */
export function characterClass(codePoint: number): number {
  table ??= unpack()
  if (codePoint < 0x10000) return table.basicPlane[codePoint]!
  return supplementaryClass(table, codePoint)
}

/** The character to which unicode61 folds this one (case, and the diacritics it knows); the same character without folding. */
export function foldedCodePoint(codePoint: number): number {
  folds ??= unpackFolds()
  return folds.get(codePoint) ?? codePoint
}

interface Table {
  readonly basicPlane: Uint8Array
  /** Above the basic plane: starts of the runs, ascending, and the class of each. */
  readonly starts: readonly number[]
  readonly classes: readonly number[]
}

let table: Table | undefined
let folds: Map<number, number> | undefined

const classOfLetter: { readonly [letter: string]: number } = {
  S: characterClasses.gap,
  L: characterClasses.letter,
  C: characterClasses.unspaced,
  M: characterClasses.mark,
  Y: characterClasses.gapMark,
  Z: characterClasses.letterMark,
  X: characterClasses.letterGap,
}

function supplementaryClass({ starts, classes }: Table, codePoint: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= codePoint) low = middle
    else high = middle - 1
  }
  return classes[low]!
}

function unpack(): Table {
  const basicPlane = new Uint8Array(0x10000)
  const starts: number[] = []
  const classes: number[] = []
  let from = 0
  for (const [, length, letter] of characterRuns.matchAll(/([0-9a-z]+)([A-Z])/g)) {
    const kind = classOfLetter[letter!]!
    const to = from + Number.parseInt(length!, 36)
    if (from < 0x10000) basicPlane.fill(kind, from, Math.min(to, 0x10000))
    if (to > 0x10000) {
      starts.push(from)
      classes.push(kind)
    }
    from = to
  }
  for (const [first, last] of unspacedLetters)
    for (let at = first; at <= last; at++)
      if (basicPlane[at] === characterClasses.letter) basicPlane[at] = characterClasses.unspaced
  for (const zero of zeros) basicPlane.fill(characterClasses.letter, zero, zero + 10)
  return { basicPlane, starts, classes }
}

/** The zeros of scripts with digits of their own; nine digits follow each. They are letters with spaces, even in Thai. */
export const zeros: readonly number[] = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
]

/**
 * Letters without spaces that the generated table has as letters: Lao, Burmese and its extensions, Khmer, Tai Le, Tai Tham, Balinese, Javanese and
 * Tai Viet, each without its digits; and the half-width voicing marks of Japanese.
 */
const unspacedLetters: readonly (readonly [first: number, last: number])[] = [
  [0x0e80, 0x0ecf],
  [0x0edc, 0x0edf],
  [0x1000, 0x103f],
  [0x104e, 0x108f],
  [0x1780, 0x17df],
  [0x1950, 0x197f],
  [0x1a20, 0x1a7f],
  [0x1aa7, 0x1aa7],
  [0x1b00, 0x1b4f],
  [0xa980, 0xa9cf],
  [0xa9e0, 0xa9ef],
  [0xa9fa, 0xa9fe],
  [0xaa60, 0xaadf],
  [0xff9e, 0xff9f],
]

function unpackFolds(): Map<number, number> {
  const unpacked = new Map<number, number>()
  let from = 0
  for (const run of foldRuns.split(' ')) {
    const [gap, length, step, value] = run.split(',').map((number) => Number.parseInt(number, 36)) as [
      number,
      number,
      number,
      number,
    ]
    from += gap
    for (let index = 0; index < length; index++) {
      const codePoint = from + index * (step || 1)
      unpacked.set(codePoint, step === 0 ? value : codePoint + value)
    }
  }
  return unpacked
}
