/** Which records of the lexical and of the vector channel become candidates in a narrow gathering. */
export interface Breadth {
  /** The matches to which words and word pairs add most: so many, with all that tie. */
  readonly matches: number
  /** And all to which they add at least this; 0 or less: all matches. */
  readonly leastText: number
  /** So many of the nearest records, with all that tie. */
  readonly nearest: number
}

/** What is known of the records that a narrow gathering leaves out. */
export interface Omitted {
  /** Most that words and word pairs add to the score of one of them. */
  readonly text: number
  /** No cosine of them is above this; −Infinity if none of them has a vector. */
  readonly cosine: number
  /** Whether any record of the store has reason rows, or files of known state. */
  readonly hasReasons: boolean
  readonly hasFreshness: boolean
  /** Whether one of them can be of a time that the query names. */
  readonly hasTime: boolean
}
