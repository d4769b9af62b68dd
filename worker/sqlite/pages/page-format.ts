/**
 * Reads the page format from the header of a database file: the number of reserved bytes per page (page-checksum.ts), and whether it
 * has pointer-map pages, as every file with auto_vacuum does (incremental-vacuum.ts).
 * Layout: SQLite's "Database File Format", §1.3 and §1.8.
 */
import { pageBytes } from './page-file.ts'

export interface PageFormat {
  /** Reserved bytes at the end of each page. */
  readonly reserved: number
  readonly hasPointerMaps: boolean
}

/** Bytes at the start of a file that determine its format. */
export const formatBytes = 56

export function formatOf(header: Uint8Array): PageFormat {
  return {
    reserved: header[reservedAt]!,
    hasPointerMaps: header.subarray(largestRootAt, formatBytes).some((byte) => byte !== 0),
  }
}

/** Size of the file header in bytes. */
export const headerBytes = 100

/** The number of pages according to the header; 0 if the header's number is not reliable. */
export function pagesIn(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  // If the two counters differ, an old SQLite wrote the file without updating the page count.
  return view.getUint32(changesAt) === view.getUint32(countedAt) ? view.getUint32(countAt) : 0
}

const changesAt = 24
const countAt = 28
const countedAt = 92

/**
 * Whether the page at this position, from 0, is a pointer map, whose first byte can look like that of a b-tree page. (At 1 GiB SQLite
 * leaves a page unused for locks; a map would never be there anyway.)
 */
export function isPointerMap(number: number, { reserved, hasPointerMaps }: PageFormat): boolean {
  const mapped = Math.floor((pageBytes - reserved) / pointerBytes)
  return hasPointerMaps && number > 0 && (number - 1) % (mapped + 1) === 0
}

/** Offset in the header of the number of reserved bytes per page. */
export const reservedAt = 20
/** Offset of the largest root page, which is not 0 only if there are pointer maps. */
const largestRootAt = 52

/** Bytes of an entry of a pointer map: the kind of a page and its parent. */
const pointerBytes = 5
