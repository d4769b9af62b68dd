/** The data of a language: how its words are reduced to stems, and which words do not name a subject. */

export interface Language {
  /** BCP 47 primary tag. */
  readonly tag: string
  /** The letters that its words begin with. */
  readonly script: 'latin' | 'greek' | 'cyrillic' | 'unspaced'
  /** Reduces a folded word to its stem. */
  readonly stem: (word: string) => string
  /**
   * The words of which a folded word may be a form, where Snowball gives form and word different stems: the word with the match of each
   * pattern replaced. The stem of each is a key, too. A wrong one finds only words that happen to have its stem.
   */
  readonly bases?: readonly (readonly [pattern: RegExp, by: string])[]
  /** Forms of words that no rule gives, with spaces between, and commas between words: past forms, plurals. */
  readonly irregular?: string
  /** Like `bases`, for forms that no key has: they are looked for as they are. */
  readonly endings?: readonly (readonly [pattern: RegExp, by: string])[]
  /** Words of everyday, with spaces between: they and their forms are not misspelt where no record has them. */
  readonly everydayWords?: string
  /** Words without a subject, with spaces between: question words, articles, pronouns, forms of "to be", the commonest prepositions. */
  readonly questionWords: string
  /** Words too common to count fully. */
  readonly commonWords: string
  /** Letters that may join the two parts of a compound; absent: the language writes no compounds as one word. */
  readonly joints?: readonly string[]
}

/** The exports of the file of a language. */
export interface LanguageFile {
  readonly language: Language
}
