/**
 * How text is cut and folded where a term may stand anywhere inside it (policy `ctxsift`, docs/spec.md#staged-fusion). A run is a longest
 * stretch of word characters (letters, digits, marks, underscore, by Unicode 15) and `. / : \ -`: what is one run of a
 * query is part of a text exactly when it is part of one of the text's runs. Text is folded first, then cut.
 */
import { isTokenCharacter } from './letters.ts'
import { wellFormed } from './well-formed.ts'

/** The distinct runs of a text, folded, in the order they appear. Stop words stay; nothing is cut off. */
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
 * Full case folding, character by character (`ß` is `ss`, `ς` is `σ`, `İ` is `i` and a dot; `ı` stays), so that a part
 * of a text folds to a part of the folded text. Diacritics stay. What Unicode 15 does not know stays as it is, and half a
 * surrogate pair becomes U+FFFD, as in what is stored. A run folds to one run. Folding twice is folding once.
 */
export function foldForRuns(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return wellFormed(text).replace(asciiOrNot, (piece) =>
    piece.charCodeAt(0) < 0x80 ? piece.toLowerCase() : foldCharacters(piece),
  )
}

/** Where the stretch that `from` stands in ends: the longest one of run characters, or of others. */
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

/** Whether the character at this place belongs to a run. */
export function isRunAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return asciiRun[unit] === 1
  return isTokenCharacter(text.codePointAt(at)!)
}

const beyondAscii = /[^\0-\x7f]/
const asciiOrNot = /[\0-\x7f]+|[^\0-\x7f]+/g

const asciiRun = Uint8Array.from({ length: 0x80 }, (_, unit) => (/[\w./:\\-]/.test(String.fromCharCode(unit)) ? 1 : 0))

/** What each character folds to, as met; emptied when it has more than most languages need. */
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
 * Lower, upper and lower again reaches what Unicode's table says, but for Cherokee, which it folds to the other case, and
 * for the dotless i, whose upper case is that of another letter. Engines differ only in characters younger than Unicode 15.
 */
function foldCharacter(character: string, codePoint: number): string {
  if (codePoint === dotlessI || !(isTokenCharacter(codePoint) || isCircledLetter(codePoint))) return character
  return character.toLowerCase().toUpperCase().toLowerCase()
}

const dotlessI = 0x131

/** The only characters with a case that belong to no word. */
function isCircledLetter(codePoint: number): boolean {
  return codePoint >= 0x24b6 && codePoint <= 0x24e9
}
