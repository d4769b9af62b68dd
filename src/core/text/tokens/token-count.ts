/**
 * Estimates the tokens of a text: those of OpenAI's cl100k, for budgets, without its table of 100,000 rows.
 * Cuts the text like cl100k before merging, then adds the measured price of each cut (`token-tables.ts`). Within 15 % for most
 * texts of 600 characters and more; `docs/spec/text.md` lists the kinds. Takes linear time.
 * An app that needs exact counts passes its own counter (`extensions`).
 */
import {
  accentedPrices,
  characterPrices,
  oneTokenIdeographs,
  oneTokenKana,
  oneTokenSigns,
  oneTokenSyllables,
} from './token-tables.ts'
import { joiningPrice, priceOfLetters, repeatPrice, type WordStart } from './token-words.ts'

/** The estimated number of cl100k tokens; 0 for the empty text, else at least 1. */
export function estimateTokens(text: string): number {
  if (text === '') return 0
  const sum: Sum = { plain: 0, words: 0, letters: 0, accented: 0 }
  for (let at = 0; at < text.length; ) at = addCut(sum, text, at)
  return Math.max(1, Math.round((sum.plain + ofUnaccented(sum)) / 100))
}

/** Prices in hundredths of a token. */
interface Sum {
  plain: number
  /** The price of the words of a to z as in English. */
  words: number
  /** Number of Latin letters, and of those with an accent. */
  letters: number
  accented: number
}

/** Words without an accent cost more in a text that has accents, too: 1.2 times in Spanish, 1.7 times in Turkish. */
function ofUnaccented({ words, letters, accented }: Sum): number {
  return letters === 0 ? 0 : words * (1 + Math.min(0.7, (8 * accented) / letters))
}

/** Adds the price of the cut at `from` and returns its end. */
function addCut(sum: Sum, text: string, from: number): number {
  const kind = kindAt(text, from)
  if (kind === 'letter') return addWord(sum, text, from, 'glued')
  if (kind === 'space' || kind === 'line') return addBlank(sum, text, from)
  const to = endOfKind(text, from, kind)
  if (kind === 'sign') return addSigns(sum, text, from, to)
  if (kind === 'digit') sum.plain += 100 * Math.ceil((to - from) / 3)
  else for (const character of text.slice(from, to)) sum.plain += priceOfUnspaced(character)
  return to
}

/**
 * White space up to the end of its last line is a cut; the rest before a word is another. The last space belongs to the word or
 * the signs after it, a tab to the word.
 */
function addBlank(sum: Sum, text: string, from: number): number {
  let to = from
  let afterLines = from
  for (; to < text.length; to++) {
    const kind = kindAt(text, to)
    if (kind === 'line') afterLines = to + 1
    else if (kind !== 'space') break
  }
  if (afterLines > from) sum.plain += priceOfRuns(text, from, afterLines)
  const next = to === text.length ? 'line' : kindAt(text, to)
  const last = to > afterLines ? text.charCodeAt(to - 1) : 0
  const joins = next === 'letter' ? last !== 0 : next === 'sign' && last === 32
  const end = joins ? to - 1 : to
  if (end > afterLines)
    sum.plain += next === 'unspaced' && end - afterLines === 1 ? 20 : priceOfRuns(text, afterLines, end)
  if (!joins) return to
  if (next === 'sign') return addSigns(sum, text, to, endOfKind(text, to, 'sign'), 'spaced')
  return last === 32 ? addWord(sum, text, to, 'spaced') : addWord(sum, text, to, 'glued', last)
}

/** White space: a token for the first run of one character, nearly half a token for each further run. */
function priceOfRuns(text: string, from: number, to: number): number {
  let price = 100
  let before = text.charCodeAt(from)
  let repeated = 0
  for (let at = from + 1; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (unit === before) price += repeatPrice(unit)
    else if (unit === 10 && before === 13) price += 25
    else if (unit !== 13 || before !== 10) price += unit === 10 && before === 32 && repeated === 0 ? 0 : 45
    repeated = unit === before ? repeated + 1 : 0
    before = unit
  }
  return price
}

/** A single sign belongs to the word after it, unless it follows a space. A line end belongs to signs. */
function addSigns(sum: Sum, text: string, from: number, to: number, before: 'spaced' | 'other' = 'other'): number {
  if (to - from === 1 && before === 'other' && to < text.length && kindAt(text, to) === 'letter') {
    const contraction = text.charCodeAt(from) === 39 ? contracted.exec(text.slice(from, from + 4)) : null
    if (contraction === null) return addWord(sum, text, to, 'glued', text.charCodeAt(from))
    sum.plain += 100
    return from + contraction[0].length
  }
  sum.plain += priceOfSigns(text, from, to)
  return to < text.length && kindAt(text, to) === 'line' ? endOfKind(text, to, 'line') : to
}

const contracted = /^'(?:[sdmt]|ll|ve|re)(?![a-z])/i

/** By length in signs; the last price grows by 60 with each further one. */
const signsPrices = [0, 100, 100, 102, 110, 150, 200]

function priceOfSigns(text: string, from: number, to: number): number {
  let price = 0
  let length = 0
  let before = 0
  let same = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    same = unit === before ? same + 1 : 0
    before = unit
    if (unit >= 0x80) price += priceOfCharacter(text, at)
    else if (same > 1) price += repeatPrice(unit)
    else if (unit < 32) price += 100
    else length++
  }
  return price + priceByLength(signsPrices, length, 60)
}

function priceByLength(prices: readonly number[], length: number, further: number): number {
  const last = prices.length - 1
  return length <= last ? prices[length]! : prices[last]! + further * (length - last)
}

/** `sign`: a sign or a tab that belongs to the word. */
function addWord(sum: Sum, text: string, from: number, start: WordStart, sign = 0): number {
  let to = from
  while (to < text.length && isAsciiLetter(text.charCodeAt(to))) to++
  if (sign >= 0x80) sum.plain += priceOfCharacter(text, from - 1)
  if (to < text.length && kindAt(text, to) === 'letter') return addAccentedWord(sum, text, from)
  const price = priceOfLetters(text, from, to, start)
  if (sign !== 0 && sign < 0x80) sum.plain += joiningPrice(sign) + Math.min(40, price - 100)
  sum.letters += to - from
  sum.words += price
  return to
}

/** Words with letters beyond ASCII: Latin ones as measured on European texts, the others by script. */
function addAccentedWord(sum: Sum, text: string, from: number): number {
  const to = endOfKind(text, from, 'letter')
  let plain = 0
  let accents = 0
  let accentPrice = 0
  let isCyrillic = false
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) plain++
    else if (unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00)) {
      accents++
      accentPrice += unit < 0x100 ? 110 : 180
      sum.plain += vietnamesePrice(unit)
    } else {
      const price = priceOfCharacter(text, at)
      const repeated = unit === text.charCodeAt(at - 1) && unit === text.charCodeAt(at - 2)
      sum.plain += repeated ? Math.max(100, price) : price
      if (unit >= 0x400 && unit < 0x530) isCyrillic = true
    }
  }
  if (isCyrillic) sum.plain += 60
  const letters = plain + accents
  if (letters === 0) return to
  sum.letters += letters
  sum.accented += accents
  // No language writes more accents than plain letters in a word of three and more.
  const mostlyAccents = letters > 2 && accents > plain
  sum.plain += mostlyAccents ? accentPrice + 30 * plain : priceByLength(accentedPrices, letters, 30)
  return to
}

/** The price that letters of Vietnamese add to a word: those with two marks, ơ and ư. */
function vietnamesePrice(unit: number): number {
  return unit >= 0x1e00 ? 90 : unit === 0x1a1 || unit === 0x1b0 ? 50 : 0
}

/** Chinese and Japanese characters and Korean syllables: one token for the commonest, else two or three. */
function priceOfUnspaced(character: string): number {
  const code = character.codePointAt(0)!
  if (code >= 0x3040 && code < 0x3100) return oneTokenKana.has(character) ? 88 : 180
  if (code >= 0xac00 && code < 0xd7b0) return oneTokenSyllables.has(character) ? 93 : 190
  if (code < 0x3400) return priceOfCharacter(character, 0)
  return oneTokenIdeographs.has(character) ? 97 : code < 0xa000 ? 215 : 300
}

/** The character at a place, by its block; the second half of a pair costs nothing. */
function priceOfCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit >= 0xdc00 && unit < 0xe000) return 0
  const code = text.codePointAt(at)!
  if (oneTokenSigns.has(text[at]!)) return 100
  let low = 0
  let high = characterPrices.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (characterPrices[middle]![0] <= code) low = middle
    else high = middle
  }
  return characterPrices[low]![1]
}

type Kind = 'letter' | 'unspaced' | 'digit' | 'space' | 'line' | 'sign'

function endOfKind(text: string, from: number, kind: Kind): number {
  let to = from + 1
  while (to < text.length && kindAt(text, to) === kind) to++
  return to
}

/** By UTF-16 unit; the halves of a pair fall into one kind. */
function kindAt(text: string, at: number): Kind {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return asciiKinds[unit]!
  if (unit < 0xc0) return unit === 0xaa || unit === 0xb5 || unit === 0xba ? 'letter' : unit === 0xa0 ? 'space' : 'sign'
  if (unit < 0xe00) return unit === 0xd7 || unit === 0xf7 || (unit >= 0x300 && unit < 0x370) ? 'sign' : 'letter'
  if (unit < 0xe80) return 'unspaced'
  if (unit < 0x2000) return 'letter'
  if (unit < 0x2e80) return unit >= 0x2c00 && unit < 0x2e00 ? 'letter' : 'sign'
  if (unit >= 0xd800 && unit < 0xe000) return isIdeographHalf(text, at, unit) ? 'unspaced' : 'sign'
  if (unit < 0x3040 || unit === 0x30fb || (unit >= 0xe000 && unit < 0xf900) || unit >= 0xfb00) return 'sign'
  return 'unspaced'
}

/** Whether the unit is half of a character of the planes 2 and 3. */
function isIdeographHalf(text: string, at: number, unit: number): boolean {
  const high = unit < 0xdc00 ? unit : text.charCodeAt(at - 1)
  return high >= 0xd840 && high < 0xd8c0
}

const asciiKinds: readonly Kind[] = Array.from({ length: 0x80 }, (_, unit) => {
  if (isAsciiLetter(unit)) return 'letter'
  if (unit >= 48 && unit <= 57) return 'digit'
  if (unit === 10 || unit === 13) return 'line'
  return unit === 32 || (unit >= 9 && unit <= 12) ? 'space' : 'sign'
})

function isAsciiLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)
}
