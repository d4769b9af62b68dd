/**
 * Zeroes the unallocated space of b-tree pages, between the cell pointers and the cells. SQLite overwrites cells that it deletes
 * (`secure_delete`), but not the copies that remain when it moves cells between pages to balance a tree: text that is forgotten later
 * would survive there. So this space is zeroed whenever a page is written to the database file [W3].
 * Page layout: SQLite's "Database File Format", §1.6.
 */
import { isPointerMap, type PageFormat } from './page-format.ts'

/**
 * Zeroes the unallocated space of a page in place. Pages of other kinds, and bytes that do not look like a page, are unchanged.
 * `number`: position of the page in the file, from 0.
 */
export function zeroUnallocated(page: Uint8Array, number: number, format: PageFormat): void {
  if (isPointerMap(number, format)) return
  const header = number === 0 ? fileHeaderBytes : 0
  const headerBytes = pageHeaderBytes.get(page[header] ?? 0)
  if (headerBytes === undefined) return
  const cells = uint16(page, header + 3)
  // 65,536 does not fit in two bytes, so 0 means that.
  const content = uint16(page, header + 5) || 65_536
  const gap = header + headerBytes + 2 * cells
  if (gap < content && content <= page.length) page.fill(0, gap, content)
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}

const fileHeaderBytes = 100

/**
 * Header size by kind of b-tree page: interior and leaf, of indexes and tables. Other pages, except pointer maps, begin with a page
 * number below 2^24.
 */
const pageHeaderBytes: ReadonlyMap<number, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])
