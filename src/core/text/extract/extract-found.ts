/** The result type of the extractors. */

/** A term and its UTF-16 offset. */
export interface Found {
  readonly term: string
  readonly at: number
}
