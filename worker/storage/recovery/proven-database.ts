/** The proven pages of a database file and its journal, which is applied in memory. */
import { hasRightChecksum, checksumBytes, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { formatOf, type PageFormat, pagesIn } from '../../sqlite/pages/page-format.ts'
import { zeroUnallocated } from '../../sqlite/pages/unallocated-space.ts'
import { type ReadAt, readFrames } from './proven-frames.ts'
import { countInHeader, type ProvenPages } from './proven-pages.ts'

export interface StoredFile {
  readonly size: number
  readonly read: ReadAt
}

export function pagesOf(database: StoredFile | undefined, journal: StoredFile | undefined): ProvenPages {
  const page = new Uint8Array(pageBytes)
  const other = new Uint8Array(pageBytes)
  const readDatabase = (number: number, target: Uint8Array) =>
    database !== undefined && database.read(target, number * pageBytes) === pageBytes
  const frames = journal === undefined ? null : readFrames(journal.read, journal.size)
  const count = Math.floor((database?.size ?? 0) / pageBytes)
  const hasSeals = Array.from({ length: Math.min(count, checkedPages) }).some(
    (_, number) => readDatabase(number, page) && hasRightChecksum(page, number),
  )
  const inDatabase = (number: number) => {
    if (!readDatabase(number, page)) return null
    return hasSeals && !hasRightChecksum(page, number) ? null : page
  }
  const fromJournal = (place: number) => journal?.read(other, place) === pageBytes

  /** The format from the header, which a checkpoint writes before all other pages. */
  const format = (): PageFormat => {
    const place = frames?.beyond.get(0) ?? frames?.places.get(0)
    const isThere = place === undefined ? readDatabase(0, other) : fromJournal(place)
    const { reserved, hasPointerMaps } = isThere ? formatOf(other) : { reserved: 0, hasPointerMaps: false }
    // More, if the store was decrypted.
    return { reserved: hasSeals ? Math.max(checksumBytes, reserved) : 0, hasPointerMaps }
  }
  const journalFormat = format()

  /** A page of the journal as a checkpoint would write it to the file. */
  const pageAfterCheckpoint = (place: number, number: number) => {
    if (!fromJournal(place)) return null
    zeroUnallocated(other, number, journalFormat)
    if (hasSeals) writePageChecksum(other, number)
    return other
  }
  /** Whether the file is newer than the proven part of the journal, which would then restore only some of the older pages. */
  const isPassed = () => {
    for (const [number, place] of frames?.beyond ?? []) {
      const stored = inDatabase(number)
      const later = pageAfterCheckpoint(place, number)
      if (stored === null || later === null || !isSame(later, stored)) continue
      const proven = frames?.places.get(number)
      const earlier = proven === undefined ? null : pageAfterCheckpoint(proven, number)
      if (earlier === null || !isSame(earlier, stored)) return true
    }
    return false
  }

  const places = frames === null || isPassed() ? new Map<number, number>() : frames.places
  const read = (number: number) => {
    const place = places.get(number)
    if (place === undefined) return inDatabase(number)
    return fromJournal(place) ? other : null
  }
  // A file has reserved space after its last page; only the header says where that begins.
  const first = inDatabase(0)
  const counted = (first && pagesIn(first)) || Math.max(count, countInHeader(first))
  const stated = places.size > 0 ? (frames?.count ?? 0) : counted
  // Every page of a file is in it or in its journal, whatever a header says.
  return { count: Math.min(stated, count + places.size), page: read }
}

/** Pages that are checked for a valid checksum, to find out whether the file has checksums at all. */
const checkedPages = 64

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i])
}
