/** What is known of the records that a narrow gathering leaves out. */
export interface Beyond {
  /** Most that words and word pairs add to the score of one of them. */
  readonly text: number
  /** No cosine of them is above this; −Infinity if none of them has a vector. */
  readonly cosine: number
  /** Whether any record of the store has reason rows, or files of known state. */
  readonly hasReasons: boolean
  readonly hasFreshness: boolean
}
