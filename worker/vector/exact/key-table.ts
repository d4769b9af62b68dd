/**
 * From a record's key to its first row, in constant time and without an object per record.
 * Keys are nearly dense, so the table is an array in pages; a page lives while one of its keys does.
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
      const page = (pages[key >>> pageShift] ??= { rows: new Int32Array(pageKeys), held: 0 })
      if (page.rows[key & pageMask] === 0) page.held++
      page.rows[key & pageMask] = row + 1
    },
    delete: (key) => {
      const page = pages[key >>> pageShift]
      if (page === undefined || page.rows[key & pageMask] === 0) return
      page.rows[key & pageMask] = 0
      if (--page.held === 0) delete pages[key >>> pageShift]
    },
    clear: () => {
      pages = []
    },
  }
}

interface Page {
  /** First row + 1; 0 where no record is held. */
  readonly rows: Int32Array
  held: number
}

const pageShift = 12
const pageKeys = 1 << pageShift
const pageMask = pageKeys - 1
