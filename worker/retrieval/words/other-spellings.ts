/**
 * Other spellings of a word that the index cuts or folds in another way: Qur'an for quran, t-shirt for tshirt, Schlüssel for schluessel, iPhone15 for
 * iphone, words that soft hyphens cut. Each is looked for among the words of the scope.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryTerm } from '../../../src/core/model/query-plan.ts'
import { cutsAtApostrophe, holdsWithApostrophe } from '../../../src/core/query/apostrophes.ts'
import { isKnownWord } from '../../../src/core/query/known-words.ts'
import { inFields, quote } from '../../../src/core/query/phrases.ts'
import { foldLetters } from '../../../src/core/text/tokenise/fold-letters.ts'
import { foldWord, tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import type { KeySet, Store } from '../../store/port/store.ts'

/** The spellings of a word with an apostrophe that the scope has: `qur an` of Qur'an for quran. A word of English that the scope has is none. */
export function withApostrophe(
  term: QueryTerm,
  fields: Parameters<typeof inFields>[1],
  store: Store,
  scopeKeys: KeySet | null,
): readonly string[] {
  const keysOf = (phrase: string) =>
    store.postings([phrase])[0]!.keys.filter((key) => scopeKeys === null || holdsKey(scopeKeys, key))
  const word = foldLetters(term.word)
  const cuts = cutsAtApostrophe(word)
  if (cuts.length === 0 || (isKnownWord(word) && keysOf(term.phrase).length > 0)) return []
  const isTyped = term.phrase.endsWith('*')
  // The vocabulary has no single letters.
  const held = store.vocabulary.held([...new Set(cuts.flat())])
  const isPart = (part: string, i: number, parts: readonly string[]) =>
    part.length === 1 ? !isTyped || i < parts.length - 1 : held.has(part) || (isTyped && i === parts.length - 1)
  return cuts.flatMap((parts) => {
    if (!parts.every(isPart)) return []
    const keys = keysOf(inFields(quote(parts.join(' ')) + (isTyped ? '*' : ''), fields))
    // Where many records have the words one after the other, the first must be a letter that often has an apostrophe after it.
    const isWritten =
      parts.length === 3
        ? keys.length > 0
        : keys.length > mostRead
          ? /^[cdhjlmnqst]$/.test(parts[0]!)
          : store.vocabulary.isHeldAsText(keys, (text) => holdsWithApostrophe(text, parts, isTyped))
    return isWritten ? [parts.join(' ')] : []
  })
}

/** Records whose texts are read to see whether they write two words as one. */
const mostRead = 64

/** A word that may be written with other letters for ä, ö, ü and å, or without them: mueller, müller. */
export function transcribed(word: string): readonly string[] {
  const short = word.replace(/([aou])e|aa/g, (pair) => pair[0]!)
  if (short !== word) {
    const each = Array.from(
      word.matchAll(/[aou]e|aa/g),
      ({ index }) => word.slice(0, index + 1) + word.slice(index + 2),
    )
    return [short, word.replace(/oe/g, 'ø').replace(/ae/g, 'æ'), ...each]
  }
  if (word.length < leastLetters || isKnownWord(word)) return []
  return Array.from(word.matchAll(/[aou]/g), ({ 0: vowel, index }) => index + vowel.length).flatMap((at) =>
    (word[at - 1] === 'a' ? ['e', 'a'] : ['e']).map((sign) => word.slice(0, at) + sign + word.slice(at)),
  )
}

/** Whether a record writes the word with such a letter. A shorter spelling may be another word: `aacorns` is a misspelt `acorns`. */
export function isWrittenSo(word: string, store: Store): boolean {
  const keys = store.postings([quote(word)])[0]!.keys.slice(0, mostRead)
  const isSo = (text: string) =>
    tokenise(text).some((token) => token.word === word && /[äöüåæø]/i.test(text.slice(token.from, token.to)))
  return store.vocabulary.isHeldAsText(keys, isSo)
}

const leastLetters = 4

/**
 * Longer words of the store for a word that no record holds: with a number behind it (iphone15), of seven and more digits of a hash the whole, of
 * four and more letters and digits every longer one (9f3c).
 */
export function longerWords(word: string, { vocabulary }: Store): readonly string[] {
  const isCode = /^(?=.*\d)(?:(?=.*[a-z])[\da-z]{4,}|[\da-f]{7,})$/.test(word)
  if (!isCode && !/^[a-z]{3,}$/.test(word)) return []
  const rest = isCode ? /^[\da-z]+$/ : /^\d{1,4}[a-z]?$/
  const longer = isCode
    ? vocabulary.beginning(word, 0, mostRead)
    : vocabulary.beginning(`${word}0`, 0, mostRead, `${word}:`)
  return longer.flatMap((one) => (rest.test(one.word.slice(word.length)) ? one.word : []))
}

/** The letters of an abbreviation that records write with dots or `&`, with spaces between: `u s a` of U.S.A., `ph d`, `at t`. */
export function withDots(word: string, store: Store): readonly string[] {
  if (!/^[a-z]{2,6}$/.test(word)) return []
  const isWritten = (text: string) => tokenise(text.replace(/[.&]/g, '')).some((token) => token.word === word)
  return [Array.from(word).join(' '), `${word.slice(0, -1)} ${word.at(-1)}`].filter((phrase) =>
    store.vocabulary.isHeldAsText(store.postings([quote(phrase)])[0]!.keys.slice(0, mostRead), isWritten),
  )
}

/** A word with and without what Arabic and Hebrew write in front of it: the article, "and", "in", "to". */
export function withArticles(word: string): readonly string[] {
  for (const [letters, shortest, ...joined] of articles) {
    if (!letters.test(word)) continue
    const bare = joined.filter((one) => word.startsWith(one)).map((one) => word.slice(one.length))
    const stems = [word, ...bare.filter(({ length }) => length >= shortest)]
    return stems.flatMap((stem) => [stem, ...joined.map((one) => one + stem)]).filter((one) => one !== word)
  }
  return []
}

const articles: readonly (readonly [letters: RegExp, shortest: number, ...joined: string[]])[] = [
  [/^[ء-ي]{3,}$/, 3, 'ال', 'وال', 'بال', 'فال', 'كال', 'لل', 'و', 'ب', 'ل'],
  [/^[א-ת]{2,}$/, 3, 'ה', 'ב', 'ל', 'מ', 'ש', 'ו', 'כ', 'וה', 'שה', 'מה', 'וב', 'של'],
]

/** The parts of a long word that a text cuts with soft hyphens, with spaces between. `isInIndex`: whether a record of the scope holds a phrase. */
export function withSoftHyphens(word: string, store: Store, isInIndex: (phrase: string) => boolean): readonly string[] {
  if (!/^\p{L}{8,40}$/u.test(word)) return []
  const parts: string[] = []
  for (let from = 0; from < word.length; from++)
    for (let to = from + 2; to <= word.length; to++) parts.push(word.slice(from, to))
  const held = store.vocabulary.held(parts)
  const found: string[] = []
  let steps = 0
  const cut = (from: number, before: readonly string[]) => {
    if (found.length === mostCuts || before.length > mostParts || ++steps > mostSteps) return
    if (from === word.length && before.length > 2) found.push(before.join(' '))
    for (let to = word.length; to > from + 1; to--)
      if (held.has(word.slice(from, to))) cut(to, [...before, word.slice(from, to)])
  }
  cut(0, [])
  const isCut = (text: string) => text.includes('\u00ad') && foldWord(text.replaceAll('\u00ad', '')).includes(word)
  return found.filter(
    (phrase) =>
      isInIndex(quote(phrase)) &&
      store.vocabulary.isHeldAsText(store.postings([quote(phrase)])[0]!.keys.slice(0, mostRead), isCut),
  )
}

const mostCuts = 16
const mostSteps = 1000
const mostParts = 8
