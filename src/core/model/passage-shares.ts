/** How a long record counts by its best passage (docs/spec/ranking.md#passages): a part of a policy. */
export interface PassageShares {
  /**
   * Only records count by passages that are longer than this many mean lengths of the records of one passage, if these are a quarter of the
   * scope; and those with more passages than `most`.
   */
  readonly lengths: number
  readonly most: number
  /** Share of a word that is in the title of the record and not in the passage, of what it adds in a title; 0..1. */
  readonly title: number
  /** Share of what the record as a whole has more than its best passage; 0..1. */
  readonly rest: number
}
