/**
 * Posting lists: which records hold a phrase, and how often. The shape that both ways of reading them return,
 * and the contract of a reader. Column 0 of the FTS5 table is the title.
 */

export interface PostingList {
  /** Rowids of the records that hold the phrase, ascending. */
  readonly keys: Uint32Array
  /** Occurrences over all columns, parallel to `keys`, saturating at 65,535. */
  readonly counts: Uint16Array
  /** Occurrences in column 0, parallel to `keys`, saturating at 255. */
  readonly titleCounts: Uint8Array
}

export interface PostingsReader {
  /** `bridge`: FTS5's own lists, copied inside WebAssembly. `plain`: ordinary statements, same bytes, far slower. */
  readonly mode: 'bridge' | 'plain'
  /** Why the bridge was refused; null in bridge mode. */
  readonly fallbackReason: string | null
  /**
   * One list per phrase, in the order asked. A phrase is one complete FTS5 phrase expression: `"cell"`,
   * `"machine learning"`, or with a star after the closing quote as a prefix of its last word, `"wor"*`; quotes
   * inside are doubled, NUL is refused. Sees the open transaction. Throws INVALID_ARGUMENT for anything else.
   */
  read(phrases: readonly string[]): PostingList[]
  /** Frees what the reader holds; call it before the database is closed. Reading afterwards throws CLOSED. */
  close(): void
}

/** The list of a phrase that no record holds. */
export function emptyPostingList(): PostingList {
  return { keys: new Uint32Array(0), counts: new Uint16Array(0), titleCounts: new Uint8Array(0) }
}

/** Whether both hold the same bytes, list by list. */
export function samePostings(some: readonly PostingList[], others: readonly PostingList[]): boolean {
  return (
    some.length === others.length &&
    some.every((list, i) => {
      const other = others[i]
      return (
        other !== undefined &&
        sameNumbers(list.keys, other.keys) &&
        sameNumbers(list.counts, other.counts) &&
        sameNumbers(list.titleCounts, other.titleCounts)
      )
    })
  )
}

function sameNumbers(some: ArrayLike<number>, others: ArrayLike<number>): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}
