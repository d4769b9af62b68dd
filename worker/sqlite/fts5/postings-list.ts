/**
 * Defines posting lists (which records contain a phrase, and how often) and their readers. Both readers return this shape.
 * Column 0 of the FTS5 table is the title.
 */

export interface PostingList {
  /** Rowids of the records that contain the phrase, ascending. */
  readonly keys: Uint32Array
  /** Occurrences over all columns, parallel to `keys`, at most 65,535. */
  readonly counts: Uint16Array
  /** Occurrences in column 0, parallel to `keys`, at most 255. */
  readonly titleCounts: Uint8Array
  /**
   * Each occurrence in a long record, two numbers: its index in `keys`; and its column × 2^24 + its offset in words, that of the first
   * word of a phrase. In the order of keys, columns and offsets.
   */
  readonly places: Uint32Array
}

/** A bit for each key, least significant first: 1 for a record of which occurrences are read. A change makes a new array. */
export type LongKeys = Uint8Array

export const noLongKeys: LongKeys = new Uint8Array(0)

export interface PostingsReader {
  /** `bridge`: FTS5's own lists, copied inside WebAssembly. `plain`: ordinary statements; the same bytes, but far slower. */
  readonly mode: 'bridge' | 'plain'
  /** Why the bridge cannot be used; null in bridge mode. */
  readonly fallbackReason: string | null
  /**
   * Returns one list for each phrase, in order. A phrase is one complete FTS5 phrase expression: `"cell"`, `"machine learning"`, or
   * with a star after the closing quote as a prefix of its last word, `"wor"*`. Columns may restrict it: `{title body} : "cell"`.
   * Quotes inside must be doubled; NUL is not allowed.
   * Reads see the open transaction. Throws INVALID_ARGUMENT for anything else.
   */
  read(phrases: readonly string[], long?: LongKeys): PostingList[]
  /** Frees the reader's memory and statements; must be called before the database closes. A later `read` throws CLOSED. */
  close(): void
}

const noPlaces = new Uint32Array(0)

/** The list of a phrase that occurs in no record. */
export function emptyPostingList(): PostingList {
  return { keys: new Uint32Array(0), counts: new Uint16Array(0), titleCounts: new Uint8Array(0), places: noPlaces }
}

/** Whether both have the same bytes, list by list. */
export function samePostings(some: readonly PostingList[], others: readonly PostingList[]): boolean {
  return (
    some.length === others.length &&
    some.every((list, i) => {
      const other = others[i]
      return (
        other !== undefined &&
        sameNumbers(list.keys, other.keys) &&
        sameNumbers(list.counts, other.counts) &&
        sameNumbers(list.titleCounts, other.titleCounts) &&
        sameNumbers(list.places, other.places)
      )
    })
  )
}

function sameNumbers(some: ArrayLike<number>, others: ArrayLike<number>): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}
