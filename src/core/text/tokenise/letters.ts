/**
 * What a character is to the search: part of a word, a mark on one, or a gap, by Unicode 15.0 and never by the
 * tables of the engine it runs in; and where SQLite's unicode61 (Unicode 6.1) sees it otherwise.
 * Characters younger than Unicode 15 are gaps. The table is unpacked on first use.
 */

import { characterRuns, foldRuns } from './letters-table.ts'

/** The classes of `characterClass`, as bytes. */
export const characterClasses = {
  /** No part of a word. */
  gap: 0,
  /** Letter or number of a script that writes spaces. */
  letter: 1,
  /** Letter of Chinese, Japanese, Korean or Thai. */
  unspaced: 2,
  /** Mark that unicode61 drops from a word as we do. */
  mark: 3,
  /** Mark that is a gap to unicode61. Also 21 letters that are gaps to it: New Tai Lue vowels, two Vedic signs. */
  gapMark: 4,
  /** Mark that is a letter to unicode61. */
  letterMark: 5,
  /** A gap to us, a letter to unicode61, which takes all that was unassigned in Unicode 6.1 for letters: 🤔, ₽. */
  letterGap: 6,
} as const

/**
 * Whether the character belongs inside a word: general categories L*, N*, M* and Co of Unicode 15.0.
 * Marks count, so that a decomposed accent does not cut its word in two.
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

/** The one character that unicode61 folds this one to (case and the diacritics it knows); itself where there is none. */
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
  return { basicPlane, starts, classes }
}

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
