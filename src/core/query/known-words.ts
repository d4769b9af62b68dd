/**
 * Says which words are words of English, whether or not a record holds them: such a word is not misspelt. Asks a table of hashes of a
 * vocabulary, so one unknown word in a hundred passes for a known one.
 */
import { hashOf } from '../collections/existence-filter.ts'
import { knownWordsTable } from './known-words-table.ts'

/** Whether the folded word, or the word that it is a regular form of, is a word of English. Words of four letters and more. */
export function isKnownWord(word: string): boolean {
  if (!/^[a-z]{4,}$/.test(word)) return false
  return [word, ...basesOf(word)].some(isListed)
}

/** Whether two words are spellings of one word, `tyres` and `tires`, or one is derived like the other, `allergic` and `allergy`. */
export function areOfOneFamily(first: string, second: string): boolean {
  if (oneSpelling(first) === oneSpelling(second)) return true
  let shared = 0
  while (shared < first.length && first[shared] === second[shared]) shared++
  return shared >= 5 && derivations.has(first.slice(shared)) && derivations.has(second.slice(shared))
}

const derivations: ReadonlySet<string> = new Set(['', 'y', 'ic', 'al', 'er', 'or', 'ist', 'ism', 'ly'])

const endings: readonly (readonly [pattern: RegExp, bases: readonly string[]])[] = [
  [/ies$/, ['y']],
  [/(?<=s|x|z|ch|sh|o)es$/, ['', 'e']],
  [/(?<!s)s$/, ['']],
  [/ied$/, ['y']],
  [/ed$/, ['', 'e']],
  [/ing$/, ['', 'e']],
]

/** The words of which it may be a regular form. */
export function basesOf(word: string): readonly string[] {
  const found = endings.find(([pattern]) => pattern.test(word))
  if (found === undefined) return []
  const start = word.replace(found[0], '')
  return start.length < 3 ? [] : found[1].map((end) => start + end)
}

/** Not a spelling of any country: only equal where two spellings are of one word. */
function oneSpelling(word: string): string {
  return word
    .replace(/our/g, 'or')
    .replace(/is(e|ed|es|er|ers|ing|ation|ations)$/, 'iz$1')
    .replace(/ys(e|ed|es|er|ers|ing)$/, 'yz$1')
    .replace(/([bt])re(s|d)?$/, '$1er$2')
    .replace(/ogue(s?)$/, 'og$1')
    .replace(/mme(s?)$/, 'm$1')
    .replace(/ence(s?)$/, 'ense$1')
    .replace(/grey/, 'gray')
    .replace(/ae|oe/g, 'e')
    .replace(/ll/g, 'l')
    .replace(/tyre/, 'tire')
}

let hashes: Uint32Array | undefined

/** A word as the table holds it: a place among 128 for each word. */
export function placeOfWord(word: string, count: number): number {
  return hashOf(word, seed) % (count << remainderBits)
}

const seed = 0x9e3779b9
/** Of each gap between two places, the bits that follow its quotient. */
export const remainderBits = 7

function isListed(word: string): boolean {
  hashes ??= readHashes()
  const place = placeOfWord(word, hashes.length)
  let low = 0
  for (let high = hashes.length; low < high; ) {
    const middle = (low + high) >> 1
    if (hashes[middle]! < place) low = middle + 1
    else high = middle
  }
  return hashes[low] === place
}

/** The gaps between the places, ascending, in the code of Golomb and Rice: as many ones as the quotient, a zero, the remainder. */
function readHashes(): Uint32Array {
  const { count, base64 } = knownWordsTable
  const digits = Uint8Array.from(base64, (digit) => base64Digits.indexOf(digit))
  let at = 0
  const bit = () => (digits[Math.floor(at / 6)]! >> (5 - (at++ % 6))) & 1
  let place = 0
  return Uint32Array.from({ length: count }, () => {
    while (bit() === 1) place += 1 << remainderBits
    let rest = 0
    for (let i = 0; i < remainderBits; i++) rest = (rest << 1) | bit()
    return (place += rest)
  })
}

export const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
