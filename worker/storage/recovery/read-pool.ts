/**
 * Reads the proven pages of a database in OPFS without the pool's VFS, which would empty files with damaged headers. Files are also
 * recognised by their content. The journal is applied in memory, and nothing is written.
 */

import { isSealed, sealBytes, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { formatOf, type PageFormat, pagesIn } from '../../sqlite/pages/page-format.ts'
import { zeroUnallocated } from '../../sqlite/pages/unallocated-space.ts'
import { retryHandles } from '../common/retry-handles.ts'
import { databasePath } from '../opfs/opfs.ts'
import { magicNumber, type ReadAt, readFrames } from './proven-frames.ts'
import { countInHeader, type ProvenPages } from './proven-pages.ts'

export interface ReadPool extends ProvenPages {
  close(): void
}

/** Null without a database. Rejects as the browser does if a file is held until `endMs`. */
export async function readPool(folder: FileSystemDirectoryHandle, endMs: number): Promise<ReadPool | null> {
  const handles: FileSystemSyncAccessHandle[] = []
  const close = () => {
    for (const handle of handles.splice(0)) handle.close()
  }
  try {
    for await (const entry of folder.values())
      if (entry.kind === 'file') handles.push(await retryHandles(endMs, () => openToRead(entry)))
    const files = handles.map(describe)
    const database = find(files, databasePath, 'isDatabase')
    const journal = find(files, `${databasePath}-wal`, 'isJournal')
    if (database === undefined && journal === undefined) {
      close()
      return null
    }
    return { ...pagesOf(database, journal), close }
  } catch (error) {
    close()
    throw error
  }
}

/** Where browsers support the mode, it prevents all writes, including ours. */
function openToRead(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  const open = file.createSyncAccessHandle as (options: object) => Promise<FileSystemSyncAccessHandle>
  return open.call(file, { mode: 'read-only' })
}

interface PoolFile {
  readonly path: string
  readonly size: number
  readonly isDatabase: boolean
  readonly isJournal: boolean
  readonly read: ReadAt
}

/** Each file of a pool starts with a header, which starts with the file's path. */
const headBytes = 4096

function describe(handle: FileSystemSyncAccessHandle): PoolFile {
  const head = new Uint8Array(headBytes + 16)
  handle.read(head, { at: 0 })
  const start = head.subarray(headBytes)
  const magic = new DataView(head.buffer).getUint32(headBytes)
  const text = new TextDecoder('latin1')
  return {
    path: text.decode(head.subarray(0, Math.max(0, head.indexOf(0)))),
    size: Math.max(0, handle.getSize() - headBytes),
    isDatabase: text.decode(start) === 'SQLite format 3\0',
    isJournal: (magic & ~1) >>> 0 === magicNumber,
    read: (target, offset) => handle.read(target as Uint8Array<ArrayBuffer>, { at: headBytes + offset }),
  }
}

/** Finds a file by its path; if headers are damaged, by its content. */
function find(files: readonly PoolFile[], path: string, mark: 'isDatabase' | 'isJournal'): PoolFile | undefined {
  const filled = files.filter(({ size }) => size > 0)
  return filled.find((file) => file.path === path) ?? filled.find((file) => file[mark])
}

function pagesOf(database: PoolFile | undefined, journal: PoolFile | undefined): ProvenPages {
  const page = new Uint8Array(pageBytes)
  const other = new Uint8Array(pageBytes)
  const readDatabase = (number: number, target: Uint8Array) =>
    database !== undefined && database.read(target, number * pageBytes) === pageBytes
  const frames = journal === undefined ? null : readFrames(journal.read, journal.size)
  const count = Math.floor((database?.size ?? 0) / pageBytes)
  const hasSeals = Array.from({ length: Math.min(count, checkedPages) }).some(
    (_, number) => readDatabase(number, page) && isSealed(page, number),
  )
  const inDatabase = (number: number) => {
    if (!readDatabase(number, page)) return null
    return hasSeals && !isSealed(page, number) ? null : page
  }
  const fromJournal = (place: number) => journal?.read(other, place) === pageBytes

  /** The format from the header, which a checkpoint writes before all other pages. */
  const format = (): PageFormat => {
    const place = frames?.beyond.get(0) ?? frames?.places.get(0)
    const isThere = place === undefined ? readDatabase(0, other) : fromJournal(place)
    return { reserved: hasSeals ? sealBytes : 0, hasMaps: isThere && formatOf(other).hasMaps }
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
  return { count: places.size > 0 ? (frames?.count ?? 0) : counted, page: read }
}

/** Pages that are checked for a valid checksum, to find out whether the file has checksums at all. */
const checkedPages = 64

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i])
}
