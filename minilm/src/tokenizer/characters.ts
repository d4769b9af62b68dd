/**
 * Says what BERT's tokenizer does with a character, by Unicode 15.0 instead of the engine's tables, which differ between browsers.
 * Unpacks its tables on first use.
 */
import { classRuns, foldRuns, severalFolds } from './characters-table.ts'

/** The classes of `classOf`. */
export const classes = {
  /** Part of a word. */
  letter: 0,
  /** Control, format, private use, half of a pair: left out. Words go on behind it. */
  dropped: 1,
  space: 2,
  /** Non-spacing mark: left out with accents. */
  mark: 3,
  /** A word of its own. */
  punctuation: 4,
  /** Han: a word of its own. */
  han: 5,
} as const

/** The class of a code point (0..0x10FFFF). */
export function classOf(codePoint: number): number {
  table ??= unpackClasses()
  if (codePoint < 0x10000) return table.basicPlane[codePoint]!
  const { starts, kinds } = table
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= codePoint) low = middle
    else high = middle - 1
  }
  return kinds[low]!
}

/** Lower case without accents: one or more characters. Characters newer than Unicode 15 stay as they are. */
export function foldOf(codePoint: number): string {
  folds ??= unpackFolds()
  const folded = folds.get(codePoint)
  if (folded !== undefined) return folded
  if (codePoint >= hangul.first && codePoint <= hangul.last) return decomposed(codePoint - hangul.first)
  return String.fromCodePoint(codePoint)
}

interface Table {
  readonly basicPlane: Uint8Array
  /** Above the basic plane: starts of the runs, ascending, and the class of each. */
  readonly starts: readonly number[]
  readonly kinds: readonly number[]
}

let table: Table | undefined
let folds: ReadonlyMap<number, string> | undefined

const classOfLetter: Readonly<Record<string, number>> = {
  L: classes.letter,
  D: classes.dropped,
  W: classes.space,
  M: classes.mark,
  P: classes.punctuation,
  H: classes.han,
}

function unpackClasses(): Table {
  const basicPlane = new Uint8Array(0x10000)
  const starts: number[] = []
  const kinds: number[] = []
  let at = 0
  for (const [, length = '', letter = ''] of classRuns.matchAll(/([0-9a-z]+)([A-Z])/g)) {
    const end = at + Number.parseInt(length, 36)
    const kind = classOfLetter[letter]!
    basicPlane.fill(kind, at, Math.min(end, 0x10000))
    if (end > 0x10000) {
      starts.push(Math.max(at, 0x10000))
      kinds.push(kind)
    }
    at = end
  }
  return { basicPlane, starts, kinds }
}

function unpackFolds(): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let start = 0
  for (const run of foldRuns.split(' ')) {
    const numbers = numbersOf(run)
    const [gap, length, step, delta] = (numbers.length === 2 ? [numbers[0], 1, 1, numbers[1]] : numbers) as Run
    start += gap
    for (let i = 0; i < length; i++) found.set(start + i * step, String.fromCodePoint(start + i * step + delta))
  }
  for (const row of severalFolds.split(' ')) {
    const [from = 0, ...parts] = numbersOf(row)
    found.set(from, String.fromCodePoint(...parts))
  }
  return found
}

type Run = readonly [gap: number, length: number, step: number, delta: number]

function numbersOf(row: string): number[] {
  return row.split(',').map((text) => Number.parseInt(text, 36))
}

/** Syllables of Hangul are numbered: first sound, vowel, last sound. */
const hangul = {
  first: 0xac00,
  last: 0xd7a3,
  leads: 0x1100,
  vowels: 0x1161,
  tails: 0x11a7,
  vowelCount: 21,
  tailCount: 28,
}

function decomposed(index: number): string {
  const { leads, vowels, tails, vowelCount, tailCount } = hangul
  const tail = index % tailCount
  const syllable = (index - tail) / tailCount
  const vowel = syllable % vowelCount
  const parts = [leads + (syllable - vowel) / vowelCount, vowels + vowel]
  return String.fromCodePoint(...parts, ...(tail === 0 ? [] : [tails + tail]))
}
