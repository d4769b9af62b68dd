/**
 * Checks the pool's files before the VFS opens them. The VFS empties every file whose 4 KiB header is inconsistent, and SQLite takes an
 * empty file for a new database: both would turn damage into an empty store. Only reads.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { salvageHint } from '../../../src/protocol/salvage.ts'
import { reservedAt } from '../../sqlite/pages/page-format.ts'
import { checksumBytes } from '../../sqlite/pages/page-checksum.ts'
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { sealBytes } from '../../sqlite/pages/seal.ts'
import type { FoundDatabase } from '../common/lock-port.ts'

interface PoolFile {
  readonly path: string
  readonly isHeaderSound: boolean
  /** Whether the header is neither valid nor a state that a power loss can leave. */
  readonly isDamaged: boolean
  readonly dataBytes: number
  readonly isSqlite: boolean
  readonly isSealed: boolean
}

/**
 * Throws STORE_CORRUPT for damaged headers and for an empty or foreign database file, DATA_MISSING if a store that `wasCreated` has no
 * database. A store whose creation was interrupted is accepted.
 */
export async function inspectPool(
  storeDirectory: FileSystemDirectoryHandle,
  poolDirectory: string,
  databasePath: string,
  wasCreated: boolean,
): Promise<FoundDatabase> {
  const files = await readPool(storeDirectory, poolDirectory)
  const database = files.find((file) => file.path === databasePath)
  const damaged = files.find(
    (file) => file.isDamaged || (file.isSqlite && !(file.isHeaderSound && file.path === databasePath)),
  )
  if (damaged) throw corrupt('A file of this store has a damaged header')
  const found = { isEmpty: (database?.dataBytes ?? 0) === 0, isSealed: database?.isSealed ?? false }
  if (!wasCreated) return found
  if (!database) {
    throw recallError('DATA_MISSING', 'This browser had a store of this name, but its database is gone', {
      hint: 'To begin again under this name, call destroyStore(name), then import the latest export.',
    })
  }
  if (database.dataBytes === 0) throw corrupt('The database file is empty')
  if (!database.isSqlite) throw corrupt('The database file does not begin like a SQLite database')
  return found
}

function corrupt(problem: string) {
  return recallError('STORE_CORRUPT', problem, {
    hint: salvageHint,
  })
}

async function readPool(
  storeDirectory: FileSystemDirectoryHandle,
  poolDirectory: string,
): Promise<readonly PoolFile[]> {
  let opaque: FileSystemDirectoryHandle
  try {
    opaque = await (await storeDirectory.getDirectoryHandle(poolDirectory)).getDirectoryHandle(opaqueDirectory)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return []
    throw error
  }
  const handles: FileSystemFileHandle[] = []
  for await (const handle of opaque.values()) if (handle.kind === 'file') handles.push(handle)
  return Promise.all(handles.map(readPoolFile))
}

async function readPoolFile(handle: FileSystemFileHandle): Promise<PoolFile> {
  const file = await handle.getFile()
  const bytes = new Uint8Array(headerBytes + pageBytes)
  bytes.set(new Uint8Array(await file.slice(0, bytes.length).arrayBuffer()))
  const view = new DataView(bytes.buffer)
  const flags = view.getUint32(pathBytes)
  const stored = [view.getUint32(checksumAt, true), view.getUint32(checksumAt + 4, true)]
  const expected = flags & checksumFlag ? headerChecksum(bytes.subarray(0, checksumAt)) : [0, 0]
  const isHeaderSound = stored[0] === expected[0] && stored[1] === expected[1]
  // A header is written in two writes before one flush: path and flags, then the checksum. In a half-written header one part has its old
  // value: all zeros in a new file, and in a file whose new header marks it as free.
  const isHalfWritten = bytes[0] === 0 || flags === 0 || (stored[0] === 0 && stored[1] === 0)
  const isSqlite = sqliteMagic.every((byte, i) => bytes[headerBytes + i] === byte)
  return {
    path: decoder.decode(bytes.subarray(0, Math.max(0, bytes.subarray(0, pathBytes).indexOf(0)))),
    isHeaderSound,
    isDamaged: !isHeaderSound && !isHalfWritten,
    dataBytes: Math.max(0, file.size - headerBytes),
    isSqlite,
    // A store that was decrypted has zeros there, and a checksum.
    isSealed:
      isSqlite &&
      bytes[headerBytes + reservedAt] === sealBytes &&
      bytes.subarray(-sealBytes, -checksumBytes).some((byte) => byte !== 0),
  }
}

/** The pool's checksum of path and flags: two multiplicative hashes. */
function headerChecksum(header: Uint8Array): readonly [number, number] {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  for (const byte of header) {
    first = Math.imul(first ^ byte, 2_654_435_761)
    second = Math.imul(second ^ byte, 104_729)
  }
  return [first >>> 0, second >>> 0]
}

// The file layout of opfs-sahpool in sqlite-wasm 3.54. The browser tests detect a change of it.
const opaqueDirectory = '.opaque'
const headerBytes = 4096
const pathBytes = 512
const checksumAt = 516
/** SQLITE_OPEN_MEMORY, which the pool reuses to mark headers that have a checksum. */
const checksumFlag = 0x80
const sqliteMagic = Uint8Array.from('SQLite format 3\0', (character) => character.charCodeAt(0))
const decoder = new TextDecoder()
