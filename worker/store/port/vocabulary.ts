/** The words of all texts as they are written: the part of the store port that corrects typing errors. */

/** A word, or the beginning of words, near a typed one. */
export interface NearWord {
  readonly word: string
  readonly edits: 1 | 2
  /** Whether its first letter is that of the typed word. */
  readonly isSameFirst: boolean
}

export interface Vocabulary {
  /**
   * The words that a typed word may be meant for, in no order; with `asBeginning`, the beginnings of words. At most one edit from four
   * letters, two from eight; another first letter counts as an edit more.
   */
  near(typed: string, asBeginning: boolean): readonly NearWord[]
  /** Number of records that hold the word as it is written. */
  records(word: string): number
  /** Whether the words of one of these records pass the test. Reads their texts until one does. */
  isHeld(keys: Iterable<number>, isWord: (word: string) => boolean): boolean
  clear(): void
  bytes(): number
}
