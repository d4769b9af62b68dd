/**
 * What the header of a database file says of its pages: how many bytes of each are left to its storage (page-checksum.ts), and
 * whether some of them are pointer maps, as in every file that can give back free pages (incremental-vacuum.ts).
 * Layout: SQLite's "Database File Format", §1.3 and §1.8.
 */
import { pageBytes } from './page-file.ts'

export interface PageFormat {
  /** Bytes at the end of every page. */
  readonly reserved: number
  readonly hasMaps: boolean
}

/** Bytes at the beginning of a file that tell its format. */
export const formatBytes = 56

export function formatOf(header: Uint8Array): PageFormat {
  return {
    reserved: header[reservedAt]!,
    hasMaps: header.subarray(largestRootAt, formatBytes).some((byte) => byte !== 0),
  }
}

/** Bytes of a file's header. */
export const headerBytes = 100

/** How many pages a file has by its header; 0 where the header does not say it for certain. */
export function pagesIn(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  // Written together, or the count is of an older writer.
  return view.getUint32(changesAt) === view.getUint32(countedAt) ? view.getUint32(countAt) : 0
}

const changesAt = 24
const countAt = 28
const countedAt = 92

/**
 * Whether the page of this number, from 0, is a pointer map. Its first byte may pass for that of a b-tree page. (Where SQLite keeps
 * a page free for its locks, at 1 GiB, no map would stand anyway.)
 */
export function isPointerMap(number: number, { reserved, hasMaps }: PageFormat): boolean {
  const mapped = Math.floor((pageBytes - reserved) / pointerBytes)
  return hasMaps && number > 0 && (number - 1) % (mapped + 1) === 0
}

/** In a header: bytes reserved in a page, and the largest root of a tree, which only a file with maps tells. */
const reservedAt = 20
const largestRootAt = 52

/** Of one page in a map: its kind and its parent. */
const pointerBytes = 5
