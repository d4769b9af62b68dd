/** What each extractor gives. */

/** A term and the UTF-16 offset at which it was found. */
export interface Found {
  readonly term: string
  readonly at: number
}
