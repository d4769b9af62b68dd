/**
 * Maps a record's key to its first row, in constant time and without an object per record.
 * Keys are nearly dense, so the table is an array of pages. A page is dropped when its last key is deleted.
 */

export interface KeyTable {
  /** First row of the record, or −1. */
  rowByKey(key: number): number
  set(key: number, row: number): void
  delete(key: number): void
  clear(): void
}

/** An empty table. */
export function createKeyTable(): KeyTable {
  let pages: (Page | undefined)[] = []
  return {
    rowByKey: (key) => {
      const page = pages[key >>> pageShift]
      return page === undefined ? -1 : page.rows[key & pageMask]! - 1
    },
    set: (key, row) => {
      const page = (pages[key >>> pageShift] ??= { rows: new Int32Array(pageKeys), count: 0 })
      if (page.rows[key & pageMask] === 0) page.count++
      page.rows[key & pageMask] = row + 1
    },
    delete: (key) => {
      const page = pages[key >>> pageShift]
      if (page === undefined || page.rows[key & pageMask] === 0) return
      page.rows[key & pageMask] = 0
      if (--page.count === 0) delete pages[key >>> pageShift]
    },
    clear: () => {
      pages = []
    },
  }
}

interface Page {
  /** First row + 1; 0 for an absent key. */
  readonly rows: Int32Array
  /** Keys in the page. */
  count: number
}

const pageShift = 12
const pageKeys = 1 << pageShift
const pageMask = pageKeys - 1
