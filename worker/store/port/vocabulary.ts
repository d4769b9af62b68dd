/** The words of all texts as they are written, and the titles: the part of the store port that corrects typing errors and suggests. */

/** A word, or the beginning of words, near a typed one. */
export interface NearWord {
  readonly word: string
  readonly edits: 1 | 2
  /** Whether its first letter is that of the typed word. */
  readonly isSameFirst: boolean
}

export interface WordCount {
  readonly word: string
  /** Number of records that hold the word as it is written. */
  readonly records: number
}

export interface TitleCount {
  /** As it is written. */
  readonly title: string
  /** Number of records with this title. */
  readonly records: number
}

export interface Titles {
  /** The titles with this beginning, without regard to case and diacritics, most records first, then by code points, after the first `from`. */
  beginning(folded: string, from: number, limit: number): readonly TitleCount[]
  /** The records with this title, by ascending key. */
  keys(title: string): Uint32Array
  clear(): void
  bytes(): number
}

export interface Vocabulary {
  /**
   * The words that a typed word may be meant for, in no order; with `asBeginning`, the beginnings of words. At most one edit from four
   * letters, two from eight; another first letter counts as an edit more.
   */
  near(typed: string, asBeginning: boolean): readonly NearWord[]
  /** Number of records that hold the word as it is written. */
  records(word: string): number
  /**
   * The words with this beginning, most records first, then by code points: `limit` of them after the first `from`. With `below`: the words from
   * `folded` to before it, in the order of code points.
   */
  beginning(folded: string, from: number, limit: number, below?: string): readonly WordCount[]
  /** The words of a record's texts. */
  wordsOf(key: number): ReadonlySet<string>
  /** Those of the words that records hold as they are written. */
  held(words: readonly string[]): ReadonlySet<string>
  /** Whether a text of one of these records passes the test. */
  isHeldAsText(keys: Iterable<number>, isText: (text: string) => boolean): boolean
  /** Whether the words of one of these records pass the test. Reads their texts until one does. */
  isHeld(keys: Iterable<number>, isWord: (word: string) => boolean): boolean
  clear(): void
  bytes(): number
}
