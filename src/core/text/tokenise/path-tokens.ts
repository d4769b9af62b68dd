/**
 * Cuts and folds text for substring searches (policy `ctxsift`, docs/spec/ranking.md#staged-fusion). A run is a maximal sequence of word
 * characters (letters, digits, marks, underscore, by Unicode 15) and `. / : \ -`. A run of a query is part of a text exactly if it
 * is part of one of the text's runs. Text is folded first, then cut.
 */
import { isTokenCharacter } from './letters.ts'
import { wellFormed } from './well-formed.ts'

/** The distinct runs of a text, folded, in order of appearance. Keeps stop words and whole runs. */
export function ctxsiftTerms(text: string): readonly string[] {
  const folded = foldForRuns(text)
  const terms = new Set<string>()
  for (let at = 0; at < folded.length; ) {
    const to = runEnd(folded, at)
    if (isRunAt(folded, at)) terms.add(folded.slice(at, to))
    at = to
  }
  return [...terms]
}

/**
 * Full case folding, character by character (`ß` → `ss`, `ς` → `σ`, `İ` → `i` and a dot; `ı` is unchanged), so that a part of a
 * text folds to a part of the folded text. Keeps diacritics and characters unknown to Unicode 15. A lone surrogate becomes U+FFFD,
 * as in stored text. A run folds to one run. Folding twice equals folding once.
 */
export function foldForRuns(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return wellFormed(text).replace(asciiOrNot, (part) =>
    part.charCodeAt(0) < 0x80 ? part.toLowerCase() : foldCharacters(part),
  )
}

/** The end of the maximal sequence that contains `from`: run characters, or other characters. */
export function runEnd(text: string, from: number): number {
  const inRun = isRunAt(text, from)
  let at = from
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    const isAscii = unit < 0x80
    if ((isAscii ? asciiRun[unit] === 1 : isRunAt(text, at)) !== inRun) break
    at += !isAscii && text.codePointAt(at)! > 0xffff ? 2 : 1
  }
  return at
}

/** Whether the character at this offset belongs to a run. */
export function isRunAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return asciiRun[unit] === 1
  return isTokenCharacter(text.codePointAt(at)!)
}

const beyondAscii = /[^\0-\x7f]/
const asciiOrNot = /[\0-\x7f]+|[^\0-\x7f]+/g

const asciiRun = Uint8Array.from({ length: 0x80 }, (_, unit) => (/[\w./:\\-]/.test(String.fromCharCode(unit)) ? 1 : 0))

/** Cache of folded characters; cleared when it has more than most languages need. */
const folds = new Map<number, string>()
const mostFolds = 16_384

function foldCharacters(text: string): string {
  let folded = ''
  for (const character of text) {
    const codePoint = character.codePointAt(0)!
    let fold = folds.get(codePoint)
    if (fold === undefined) {
      if (folds.size >= mostFolds) folds.clear()
      folds.set(codePoint, (fold = foldCharacter(character, codePoint)))
    }
    folded += fold
  }
  return folded
}

/**
 * Lower, upper and lower case again gives the folding of Unicode's table. Exceptions: Cherokee, which Unicode folds to the other
 * case, and the dotless i, whose upper case belongs to another letter. Engines differ only in characters newer than Unicode 15.
 */
function foldCharacter(character: string, codePoint: number): string {
  if (codePoint === dotlessI || !(isTokenCharacter(codePoint) || isCircledLetter(codePoint))) return character
  return character.toLowerCase().toUpperCase().toLowerCase()
}

const dotlessI = 0x131

/** The only characters with a case that do not belong to a word. */
function isCircledLetter(codePoint: number): boolean {
  return codePoint >= 0x24b6 && codePoint <= 0x24e9
}
