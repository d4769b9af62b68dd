/**
 * Estimates the price of a word of a to z: each pair of letters adds the value in `seamRows`, by case. Normal words are one token
 * or two; random letters are about one token for every two letters. Prices are in hundredths of a token.
 */
import { joiningPrices, oneTokenWords, repeats, seamRows } from './token-tables.ts'

/** The price of a word before its first pair of letters. */
const basePrices = { spaced: 35, glued: 50, capital: 46 } as const
/** Words of three letters are one token less often than their two pairs suggest. */
const threeLettersPrice = 12
/** Each letter beyond the eighth, and beyond the sixteenth, where a run of letters is hardly one word. */
const longPrices = { from: 8, price: 3, hardlyFrom: 16, hardlyPrice: 4 } as const
/** What comes after a run of three equal letters: soooo|n. */
const afterRunPrice = 30
/** Each letter of abab. */
const alternatingPrice = 50
/** A capital after a small letter: cheap where a part of a name ends (get|User), dear within random letters (aB|cD). */
const humpPrices = { afterPart: 24, afterLetter: 85 } as const
/** Words of more than one token cost more than the sum of their pairs, by up to `most`. */
const splitPrice = { from: 150, most: 40 } as const
const longestOneTokenWord = 14

export type WordStart = 'spaced' | 'glued'

/** The price of the ASCII letters of [from, to), at least one; `start`: whether a space before them belongs to them. */
export function priceOfLetters(text: string, from: number, to: number, start: WordStart): number {
  const length = to - from
  const price = sumOfPairs(text, from, to, start)
  if (price <= 100) return 100
  if (length <= longestOneTokenWord && oneTokenWords.has(text.slice(from, to).toLowerCase())) return 100
  return price + Math.min(splitPrice.most, Math.max(0, price - splitPrice.from))
}

function sumOfPairs(text: string, from: number, to: number, start: WordStart): number {
  const length = to - from
  let last = text.charCodeAt(from)
  let price: number = last < 97 ? basePrices.capital : basePrices[start]
  if (length === 3) price += threeLettersPrice
  price += longPrices.price * Math.max(0, Math.min(length, longPrices.hardlyFrom) - longPrices.from)
  let beforeLast = 0
  let repeated = 0
  let alternating = 0
  for (let at = from + 1; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== last && repeated > 1) price += afterRunPrice
    repeated = unit === last ? repeated + 1 : 0
    alternating = unit === beforeLast && unit !== last ? alternating + 1 : 0
    if (repeated >= 3) price += repeatPrice(unit)
    else if (alternating >= 3) price += alternatingPrice
    else {
      price += seamPrices[((last & 63) << 6) | (unit & 63)]!
      if (unit < 97 && last >= 97) price += beforeLast >= 97 ? humpPrices.afterPart : humpPrices.afterLetter
      if (at - from >= longPrices.hardlyFrom) price += longPrices.hardlyPrice
    }
    beforeLast = last
    last = unit
  }
  return price
}

/** The price of each repetition of a character. */
export function repeatPrice(unit: number): number {
  return repeatPrices[unit] ?? 100
}

const repeatPrices: readonly number[] = Array.from({ length: 0xa1 }, (_, unit) => {
  const group = repeats.find(([, characters]) => characters.includes(String.fromCharCode(unit)))
  return group !== undefined ? 100 / group[0] : unit > 32 && unit < 127 ? 50 : 100
})

/** By the low six bits of both letters, where bit 5 is set in small ones. Capitals are dearer, and so is a capital before a small one. */
const seamPrices: Uint8Array = Uint8Array.from({ length: 1 << 12 }, (_, index) => {
  const first = index >> 6
  const second = index & 63
  const tenths = Number(seamRows[(first & 31) - 1]?.[(second & 31) - 1] ?? 0)
  if ((first & 32) !== 0) return (second & 32) !== 0 ? 10 * tenths : 0
  return (second & 32) !== 0 ? 13 * tenths : 17 + 8 * tenths
})

/** The price of a sign or a tab, in addition to the word that it belongs to. */
export function joiningPrice(unit: number): number {
  return joiningPriceOf[unit]!
}

const joiningPriceOf: readonly number[] = Array.from({ length: 0x80 }, (_, unit) => {
  const group = joiningPrices.find(([, signs]) => signs.includes(String.fromCharCode(unit)))
  return group?.[0] ?? 85
})
