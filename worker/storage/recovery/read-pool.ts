/**
 * The pages of a database in OPFS as far as they are proven, read around the pool's VFS, which would empty files whose heads are
 * damaged: files are told by their content too, the journal is applied in memory, and no byte is written.
 */

import { isSealed, sealBytes, sealPage } from '../../sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { formatOf, type PageFormat, pagesIn } from '../../sqlite/pages/page-format.ts'
import { zeroGap } from '../../sqlite/pages/unallocated-space.ts'
import { retryHandles } from '../common/retry-handles.ts'
import { databasePath } from '../opfs/opfs.ts'
import { magicNumber, type ReadAt, readFrames } from './proven-frames.ts'
import { countInHeader, type ProvenPages } from './proven-pages.ts'

export interface ReadPool extends ProvenPages {
  close(): void
}

/** Null where there is no database. Rejects as the browser does when a file is held until `endMs`. */
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

/** Where it is known, the mode keeps others from writing and us too. */
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

/** Each file of a pool begins with a head, and that with its path. */
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

/** By its path; where heads are damaged, by what stands in it. */
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
  const hasSeals = Array.from({ length: Math.min(count, lookedAt) }).some(
    (_, number) => readDatabase(number, page) && isSealed(page, number),
  )
  const inDatabase = (number: number) => {
    if (!readDatabase(number, page)) return null
    return hasSeals && !isSealed(page, number) ? null : page
  }
  const fromJournal = (place: number) => journal?.read(other, place) === pageBytes

  /** The header that a checkpoint writes before all other pages. */
  const format = (): PageFormat => {
    const place = frames?.beyond.get(0) ?? frames?.places.get(0)
    const isThere = place === undefined ? readDatabase(0, other) : fromJournal(place)
    return { reserved: hasSeals ? sealBytes : 0, hasMaps: isThere && formatOf(other).hasMaps }
  }
  const journalFormat = format()

  /** As a checkpoint writes a page of the journal to the file. */
  const landed = (place: number, number: number) => {
    if (!fromJournal(place)) return null
    zeroGap(other, number, journalFormat)
    if (hasSeals) sealPage(other, number)
    return other
  }
  /** The file holds what the journal lost: the part that is proven would lead back, and half of the way only. */
  const isPassed = () => {
    for (const [number, place] of frames?.beyond ?? []) {
      const stored = inDatabase(number)
      const later = landed(place, number)
      if (stored === null || later === null || !isSame(later, stored)) continue
      const proven = frames?.places.get(number)
      const earlier = proven === undefined ? null : landed(proven, number)
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
  // Behind its last page a file keeps room; only the header says where that begins.
  const first = inDatabase(0)
  const counted = (first && pagesIn(first)) || Math.max(count, countInHeader(first))
  return { count: places.size > 0 ? (frames?.count ?? 0) : counted, page: read }
}

/** Pages of which one is sound, where a file has seals at all. */
const lookedAt = 64

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i])
}
