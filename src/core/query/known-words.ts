/**
 * Says which words are words of English, whether or not a record holds them: such a word is not misspelt. Asks a Bloom filter over a
 * vocabulary, so one unknown word in a hundred passes for a known one.
 */
import { type ExistenceFilter, importExistenceFilter } from '../collections/existence-filter.ts'
import { knownWordsFilter } from './known-words-table.ts'

/** Whether the folded word, or the word that it is a regular form of, is a word of English. Words of four letters and more. */
export function isKnownWord(word: string): boolean {
  if (!/^[a-z]{4,}$/.test(word)) return false
  filter ??= readFilter()
  return [word, ...basesOf(word)].some((base) => filter!.mightExist(base))
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

let filter: ExistenceFilter | undefined

function readFilter(): ExistenceFilter {
  const { capacity, errorRate, base64 } = knownWordsFilter
  return importExistenceFilter({ capacity, errorRate, hashVersion: 1, bytes: bytesOf(base64) })
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Core may not ask the platform to decode. */
function bytesOf(base64: string): Uint8Array {
  const digits = Array.from(base64.replace(/=+$/, ''), (digit) => base64Digits.indexOf(digit))
  return Uint8Array.from({ length: Math.floor((digits.length * 3) / 4) }, (_, i) => {
    const at = Math.floor((i * 4) / 3)
    const pair = (digits[at]! << 6) | digits[at + 1]!
    return (pair >> (4 - 2 * (i % 3))) & 255
  })
}
