/**
 * Cuts a text into folded words with offsets. For every text, the words of `tokenise(text)`, and then its `furtherWords`, are, in
 * order, the words that SQLite's `unicode61 remove_diacritics 2` finds in `indexForm(text)`. (FTS5 alone cuts words at 32,768 bytes.)
 * Scripts that have no spaces between words are cut into overlapping pairs of letters.
 */

import { compatibleLetters } from './compatible-letters.ts'
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
    if (run.kind === 'word') addWord(tokens, text, at, run.to)
    else if (run.kind === 'unspaced') addPairs(tokens, text, at, run.to)
    at = run.to
  }
  return tokens
}

/** The last letter of each run of letters without spaces that has more than one: pairs alone would not find it. */
export function lastLetters(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const run = runAt(text, at)
    if (run.kind === 'unspaced') {
      const starts = letterStarts(text, at, run.to)
      const from = starts.at(-1)!
      const word = letterOf(text.slice(from, run.to))
      if (starts.length > 1 && word !== '') tokens.push({ word, from, to: run.to })
    }
    at = run.to
  }
  return tokens
}

/**
 * The words of a text for FTS5: the text itself, unless unicode61 would cut it differently. Then letters without spaces become
 * pairs separated by spaces, words with marks unknown to unicode61 or with compatible letters become folded words, and characters
 * that are too new for unicode61 and not letters (🤔) become spaces.
 */
export function wordForm(text: string): string {
  if (!needsWordForm(text)) return text
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

/** Whether `wordForm(text)` differs from the text. Fast for texts that are mostly ASCII. */
function needsWordForm(text: string): boolean {
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
    else if (kind === letter) {
      if (compatibleLetters(codePoint) !== null) return true
      inWord = true
    }
  }
  return false
}

/** A word as the index stores it: case, compatible letters and the diacritics known to unicode61 are folded, all marks are removed. */
export function foldWord(word: string): string {
  if (isAscii(word)) return word.toLowerCase()
  let folded = ''
  for (let at = 0; at < word.length; at++) {
    const codePoint = word.codePointAt(at)!
    if (codePoint > 0xffff) at++
    const letters = compatibleLetters(codePoint)
    folded += letters === null ? foldCharacter(codePoint) : foldLetters(letters)
  }
  return folded
}

function foldCharacter(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint).toLowerCase()
  return isMark(characterClass(codePoint)) ? '' : String.fromCodePoint(foldedCodePoint(codePoint))
}

function foldLetters(letters: string): string {
  let folded = ''
  for (const character of letters) folded += foldCharacter(character.codePointAt(0)!)
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
    const codePoint = text.codePointAt(at)!
    if (found === letterGap || found === letterMark || (found === gapMark && kind === 'word')) foreign = true
    else if (kind === 'word' && compatibleLetters(codePoint) !== null) foreign = true
    at += codePoint > 0xffff ? 2 : 1
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

/** A word of nothing but strokes that lengthen words is none. */
function addWord(tokens: Token[], text: string, from: number, to: number): void {
  const word = foldWord(text.slice(from, to))
  if (word !== '') tokens.push({ word, from, to })
}

function addPairs(tokens: Token[], text: string, from: number, to: number): void {
  const starts = letterStarts(text, from, to)
  const letters = lettersOf(text, starts, to)
  // A voicing mark alone has no letter.
  if (letters.length === 1 && letters[0] !== '') tokens.push({ word: letters[0]!, from, to })
  for (let index = 0; index + 1 < letters.length; index++) {
    const word = letters[index]! + letters[index + 1]
    if (word !== '') tokens.push({ word, from: starts[index]!, to: starts[index + 2] ?? to })
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
    if (!isMark(characterClass(codePoint)) && !isLaterPart(codePoint)) starts.push(at)
  }
}

function lettersOf(text: string, starts: readonly number[], to: number): string[] {
  return starts.map((start, index) => letterOf(text.slice(start, starts[index + 1] ?? to)))
}

function letterOf(written: string): string {
  const codePoint = written.codePointAt(0)!
  const isOne = written.length === 1 || (written.length === 2 && codePoint > 0xffff)
  const letters = compatibleLetters(codePoint)
  if (isOne && letters === null) return written
  const whole = isOne ? letters! : Array.from(written, (one) => compatibleLetters(one.codePointAt(0)!) ?? one).join('')
  // Composes first, so that か with a voicing mark equals が. Removes the remaining marks.
  const composed = whole.normalize('NFC')
  return hasVowelMarks(codePoint) ? withVowelMarks(composed) : foldWord(composed)
}

/** Scripts of South-East Asia, in which a letter without its vowel marks says too little. */
function hasVowelMarks(codePoint: number): boolean {
  return (
    (codePoint >= 0xe80 && codePoint < 0x1b80 && codePoint >> 8 !== 0x11) || (codePoint >= 0xa980 && codePoint < 0xaae0)
  )
}

/** As one word of FTS5, which cuts at most of these marks: they become private characters. */
function withVowelMarks(letter: string): string {
  return Array.from(letter, (one) => {
    const codePoint = one.codePointAt(0)!
    return isMark(characterClass(codePoint)) ? String.fromCharCode(0xf000 + (codePoint & 0x7ff)) : one
  }).join('')
}

/** Vowels and final consonants of Korean written in parts, and half-width voicing marks of Japanese. */
function isLaterPart(codePoint: number): boolean {
  return (codePoint >= 0x1160 && codePoint <= 0x11ff) || codePoint === 0xff9e || codePoint === 0xff9f
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57)
}
