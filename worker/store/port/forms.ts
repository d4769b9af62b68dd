/**
 * The word forms of a store: the part of the store port that finds `chevaux` for `cheval` in the store's languages, `łódź` for `lodz` and
 * `useEffect` for `effect` in every store.
 */
import type { StopWords } from '../../../src/core/text/tokenise/stop-words.ts'

export interface FormOfWord {
  readonly word: string
  /** The languages in which it is a form; null: in any text. */
  readonly languages: readonly string[] | null
}

export interface Forms {
  /** Reads the forms of folded words in one statement, so that `of` and `withPart` need none until the texts change. */
  read(words: readonly string[]): void
  /** Other words of the vocabulary that are forms of a folded word, by code points. */
  of(word: string): readonly FormOfWord[]
  /** Words that a record has with this word as a part that a capital shows, by code points. */
  withPart(word: string): readonly string[]
  /** Other beginnings of words of the vocabulary whose folded letters begin like those of a folded word: `cœl` for `coel`. None begins with another. */
  beginningsOf(word: string): readonly string[]
  /**
   * Words of the vocabulary that may be a compound of this one and another, by code points, with what the other part may
   * be. Whether that is a word is not checked.
   */
  compoundsOf(word: string): readonly { readonly word: string; readonly others: readonly string[] }[]
  /** Words of the vocabulary that are the first or the last part of this one, by code points: `schlüssel` and `keller` of `kellerschlüssel`. */
  partsOf(word: string): readonly string[]
  /** Whether a folded word, in any form, is a word of a language of the store, so that it is not misspelt. English has a table of its own. */
  isListed(word: string): boolean
  readonly stopWords: StopWords
  /** The languages that a text may be in (`guessLanguages`); none in a store in English alone. */
  languagesOf(text: string): readonly string[]
  /** For each record, whether it is in one of the languages, or names none. */
  inLanguages(keys: Uint32Array, languages: readonly string[]): readonly boolean[]
  /** What `find` returned for the word in this scope; null: every record. Kept until the texts change, of the words that were asked last. */
  kept<T>(word: string, scope: object | null, find: () => readonly T[]): readonly T[]
  clear(): void
  bytes(): number
}
