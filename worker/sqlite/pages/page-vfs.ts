/**
 * A SQLite VFS over page files: one database file in memory for each connection, and no other files. It has no locks, because there
 * is only one connection. SQLite reads the file's change counter before each transaction, so it notices when pages were restored.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { recallError } from '../../../src/core/model/errors.ts'

export const pageVfsName = 'scrubjay-pages'

/** The file interface that the VFS needs (`page-file.ts` implements it). */
export interface MountedFile {
  size(): number
  /** Fills `target` and returns the number of bytes read; null if the stored page is damaged. */
  read(target: Uint8Array, offset: number): number | null
  write(source: Uint8Array, offset: number): void
  truncate(size: number): void
}

/** Makes `file` the one that the next connection with this path opens. The returned function must be called after it is closed. */
export function mountPageFile(sqlite3: Sqlite3Static, path: string, file: MountedFile): () => void {
  const mounted = mountsOf(sqlite3)
  if (mounted.has(path)) {
    throw recallError('STORE_BUSY', 'This thread has the store open', { hint: 'Close it first.' })
  }
  mounted.set(path, file)
  return () => mounted.delete(path)
}

/** A first page copied from a file in WAL mode must not request a write-ahead log here. */
function withoutWal(page: Uint8Array): Uint8Array {
  if (page[18] !== walVersion) return page
  const own = page.slice()
  own.fill(legacyVersion, 18, 20)
  return own
}

/** Value of bytes 18 and 19 of the header for the rollback journal instead of WAL. */
const legacyVersion = 1
const walVersion = 2

/** A C struct with its members, each under its name with a `$`; the package's typings omit the `$`. */
interface Struct {
  [member: `$${string}`]: unknown
  readonly pointer: unknown
  dispose(): void
}

interface StructType {
  readonly structInfo: { readonly sizeof: number }
}

const mountsBySqlite = new WeakMap<Sqlite3Static, Map<string, MountedFile>>()

function mountsOf(sqlite3: Sqlite3Static): Map<string, MountedFile> {
  const existing = mountsBySqlite.get(sqlite3)
  if (existing) return existing
  const mounts = new Map<string, MountedFile>()
  installVfs(sqlite3, mounts)
  mountsBySqlite.set(sqlite3, mounts)
  return mounts
}

function installVfs(sqlite3: Sqlite3Static, mounts: ReadonlyMap<string, MountedFile>): void {
  const { capi, wasm } = sqlite3
  const open = new Map<number, MountedFile>()
  const bytes = (address: number, length: number) => wasm.heap8u().subarray(address, address + length)
  const fileAt = (pointer: number) => open.get(pointer)!

  /** Runs a method; only out-of-memory errors are expected. */
  const guarded = (work: () => number): number => {
    try {
      return work()
    } catch {
      return capi.SQLITE_IOERR_NOMEM
    }
  }

  const ioMethods = new capi.sqlite3_io_methods() as unknown as Struct
  ioMethods.$iVersion = 1
  sqlite3.vfs.installVfs({
    io: {
      struct: ioMethods,
      methods: {
        xCheckReservedLock: (_file: number, out: number) => {
          wasm.poke32(out, 0)
          return 0
        },
        xClose: (file: number) => {
          open.delete(file)
          return 0
        },
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN,
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xFileSize: (file: number, out: number) => {
          wasm.poke64(out, BigInt(fileAt(file).size()))
          return 0
        },
        xLock: () => 0,
        xUnlock: () => 0,
        xRead: (file: number, target: number, length: number, offset: bigint) => {
          const read = fileAt(file).read(bytes(target, length), Number(offset))
          if (read === null) return capi.SQLITE_IOERR_DATA
          return read < length ? capi.SQLITE_IOERR_SHORT_READ : 0
        },
        xSectorSize: () => 4096,
        xSync: () => 0,
        xTruncate: (file: number, size: bigint) =>
          guarded(() => {
            fileAt(file).truncate(Number(size))
            return 0
          }),
        xWrite: (file: number, source: number, length: number, offset: bigint) =>
          guarded(() => {
            const written = bytes(source, length)
            fileAt(file).write(offset === 0n ? withoutWal(written) : written, Number(offset))
            return 0
          }),
      },
    },
  } as never)

  const vfs = new capi.sqlite3_vfs() as unknown as Struct
  vfs.$iVersion = 1
  vfs.$szOsFile = (capi.sqlite3_file as unknown as StructType).structInfo.sizeof
  vfs.$mxPathname = 512
  vfs.$zName = wasm.allocCString(pageVfsName, false) as never
  const standard = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null as never) as never) as unknown as Struct
  vfs.$xRandomness = standard.$xRandomness
  vfs.$xSleep = standard.$xSleep
  // Only functions that Scrubjay does not use need the time, but the entry must exist.
  vfs.$xCurrentTime = standard.$xCurrentTime
  standard.dispose()
  sqlite3.vfs.installVfs({
    vfs: {
      struct: vfs,
      name: pageVfsName,
      methods: {
        xAccess: (_vfs: number, _name: number, _flags: number, out: number) => {
          // SQLite checks for journals. There is none, because pages and journal die with the thread.
          wasm.poke32(out, 0)
          return 0
        },
        xDelete: () => 0,
        xFullPathname: (_vfs: number, name: number, length: number, out: number) =>
          (wasm.cstrncpy(out as never, name as never, length) as number) < length ? 0 : capi.SQLITE_CANTOPEN,
        xGetLastError: () => 0,
        xOpen: (_vfs: number, name: number, pointer: number, flags: number, outFlags: number) => {
          const file = name === 0 ? undefined : mounts.get(wasm.cstrToJs(name as never)!)
          // SQLite keeps journals and temporary files in its own memory, so a request for one is a bug.
          if (file === undefined || (flags & capi.SQLITE_OPEN_MAIN_DB) === 0) return capi.SQLITE_CANTOPEN
          open.set(pointer, file)
          const opened = new capi.sqlite3_file(pointer as never) as unknown as Struct
          opened.$pMethods = ioMethods.pointer
          opened.dispose()
          if (outFlags !== 0) wasm.poke32(outFlags, flags)
          return 0
        },
      },
    },
  } as never)
}
