/**
 * Cuts a text into folded words with offsets. For every text, the words of `tokenise(text)` are, in order, the words that
 * SQLite's `unicode61 remove_diacritics 2` finds in `indexForm(text)`. (FTS5 alone cuts words at 32,768 bytes.) Chinese, Japanese,
 * Korean and Thai are cut into overlapping pairs of letters, because these scripts have no spaces between words.
 */

import { characterClass, characterClasses, foldedCodePoint } from './letters.ts'

/** A word of a text: folded, with its UTF-16 offsets [from, to). */
export interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** The words of a text in order. In scripts without spaces every pair of adjacent letters is a word. Takes linear time. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const run = runAt(text, at)
    if (run.kind === 'word') tokens.push({ word: foldWord(text.slice(at, run.to)), from: at, to: run.to })
    else if (run.kind === 'unspaced') addPairs(tokens, text, at, run.to)
    at = run.to
  }
  return tokens
}

/**
 * The form of a text for FTS5: the text itself, unless unicode61 would cut it differently. Then letters without spaces become
 * pairs separated by spaces, words with marks unknown to unicode61 become folded words, and characters that are too new for
 * unicode61 and not letters (🤔) become spaces.
 */
export function indexForm(text: string): string {
  if (!needsIndexForm(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const run = runAt(text, at)
    if (run.kind === 'unspaced') parts.push(` ${pairsOf(text, at, run.to).join(' ')} `)
    else if (!run.foreign) parts.push(text.slice(at, run.to))
    else parts.push(run.kind === 'word' ? foldWord(text.slice(at, run.to)) : ' ')
    at = run.to
  }
  return parts.join('')
}

/** Whether `indexForm(text)` differs from the text. Fast for texts that are mostly ASCII. */
export function needsIndexForm(text: string): boolean {
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      inWord = isAsciiWord(unit)
      continue
    }
    const codePoint = text.codePointAt(at)!
    if (codePoint > 0xffff) at++
    const kind = characterClass(codePoint)
    if (kind === unspaced || kind === letterMark || kind === letterGap || (kind === gapMark && inWord)) return true
    if (kind === gap) inWord = false
    else if (kind === letter) inWord = true
  }
  return false
}

/** A word as the index stores it: case and the diacritics known to unicode61 are folded, all marks are removed. */
export function foldWord(word: string): string {
  if (isAscii(word)) return word.toLowerCase()
  let folded = ''
  for (let at = 0; at < word.length; at++) {
    const codePoint = word.codePointAt(at)!
    if (codePoint > 0xffff) at++
    if (codePoint < 0x80) folded += String.fromCharCode(codePoint).toLowerCase()
    else if (!isMark(characterClass(codePoint))) folded += String.fromCodePoint(foldedCodePoint(codePoint))
  }
  return folded
}

const { gap, letter, unspaced, gapMark, letterMark, letterGap, mark } = characterClasses

interface Run {
  readonly kind: 'gap' | 'word' | 'unspaced'
  readonly to: number
  /** Whether unicode61 treats these characters differently. */
  readonly foreign: boolean
}

/** The longest run of one kind from `from` on. A mark belongs to the run before it; at the start of a text, to a gap. */
function runAt(text: string, from: number): Run {
  const first = text.charCodeAt(from)
  let at = from
  if (first < 0x80) {
    const inWord = isAsciiWord(first)
    let unit = first
    while (unit < 0x80 && isAsciiWord(unit) === inWord) unit = text.charCodeAt(++at)
    // Beyond the end the unit is NaN, which ends the loop and the run.
    if (!(unit >= 0x80)) return { kind: inWord ? 'word' : 'gap', to: at, foreign: false }
  }
  return mixedRun(text, from, at)
}

/** `runAt` for a run that is known up to `at` and may continue with characters beyond ASCII. */
function mixedRun(text: string, from: number, known: number): Run {
  const kind = kindOf(classAt(text, from))
  let foreign = false
  let at = known
  while (at < text.length) {
    const found = classAt(text, at)
    if (!isMark(found) && kindOf(found) !== kind) break
    if (found === letterGap || found === letterMark || (found === gapMark && kind === 'word')) foreign = true
    at += text.codePointAt(at)! > 0xffff ? 2 : 1
  }
  return { kind, to: at, foreign }
}

function kindOf(found: number): Run['kind'] {
  if (found === letter) return 'word'
  return found === unspaced ? 'unspaced' : 'gap'
}

function isMark(found: number): boolean {
  return found === mark || found === gapMark || found === letterMark
}

function classAt(text: string, at: number): number {
  return characterClass(text.codePointAt(at)!)
}

function addPairs(tokens: Token[], text: string, from: number, to: number): void {
  const starts = letterStarts(text, from, to)
  const letters = lettersOf(text, starts, to)
  if (letters.length === 1) tokens.push({ word: letters[0]!, from, to })
  for (let index = 0; index + 1 < letters.length; index++) {
    const word = letters[index]! + letters[index + 1]
    tokens.push({ word, from: starts[index]!, to: starts[index + 2] ?? to })
  }
}

function pairsOf(text: string, from: number, to: number): string[] {
  const tokens: Token[] = []
  addPairs(tokens, text, from, to)
  return tokens.map((token) => token.word)
}

/** The offsets of the letters in a run without spaces. Marks and the later parts of a Korean syllable belong to a letter. */
function letterStarts(text: string, from: number, to: number): number[] {
  const starts = [from]
  for (let at = from; ; ) {
    at += text.codePointAt(at)! > 0xffff ? 2 : 1
    if (at >= to) return starts
    const codePoint = text.codePointAt(at)!
    if (!isMark(characterClass(codePoint)) && !isLaterJamo(codePoint)) starts.push(at)
  }
}

function lettersOf(text: string, starts: readonly number[], to: number): string[] {
  return starts.map((start, index) => {
    const written = text.slice(start, starts[index + 1] ?? to)
    if (written.length === 1 || (written.length === 2 && written.codePointAt(0)! > 0xffff)) return written
    // Composes first, so that か with a voicing mark equals が. Removes the remaining marks.
    return foldWord(written.normalize('NFC'))
  })
}

/** Vowels and final consonants of Korean written in parts. */
function isLaterJamo(codePoint: number): boolean {
  return codePoint >= 0x1160 && codePoint <= 0x11ff
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57)
}
