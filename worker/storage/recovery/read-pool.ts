/**
 * Reads the proven pages of a database in OPFS without the pool's VFS, which would empty files with damaged headers. Files are also
 * recognised by their content. The journal is applied in memory, and nothing is written.
 */

import { retryHandles } from '../common/retry-handles.ts'
import { databasePath } from '../opfs/opfs.ts'
import { magicNumber } from './proven-frames.ts'
import { pagesOf, type StoredFile } from './proven-database.ts'
import type { ProvenPages } from './proven-pages.ts'

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

interface PoolFile extends StoredFile {
  readonly path: string
  readonly isDatabase: boolean
  readonly isJournal: boolean
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
