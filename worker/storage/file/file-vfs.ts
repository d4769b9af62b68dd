/**
 * A SQLite VFS over a `Disk`. SQLite sees a short name for each open store, so that no character of a path has a meaning in its URIs.
 * It has no locks: a lock outside keeps other processes out (`worker/node/file-lock.ts`), and the connection holds its lock exclusively.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Disk, DiskFile } from './disk.ts'

export const fileVfsName = 'scrubjay-file'

export interface Mount {
  /** The name that SQLite opens. */
  readonly name: string
  /** Returns and removes the last error of the disk; undefined if there is none. */
  takeFailure(): unknown
  /** Must be called after the last connection is closed. */
  end(): void
}

/** Gives the file at `path` a name in the VFS. Its journals are next to it. */
export function mountFile(sqlite3: Sqlite3Static, disk: Disk, path: string): Mount {
  const mounts = mountsOf(sqlite3)
  const name = `/store-${++mountCount}`
  const mounted: Mounted = { disk, path, failure: undefined }
  mounts.set(name, mounted)
  return {
    name,
    takeFailure() {
      const { failure } = mounted
      mounted.failure = undefined
      return failure
    },
    end: () => mounts.delete(name),
  }
}

let mountCount = 0

interface Mounted {
  readonly disk: Disk
  readonly path: string
  failure: unknown
}

interface OpenFile {
  readonly mounted: Mounted
  readonly path: string
  readonly file: DiskFile
  /** The name of a new file is durable only after its folder was synced. */
  isNew: boolean
}

/** What SQLite appends to a name: nothing, the write-ahead log, the rollback journal of the first page. */
const suffixes = ['', '-wal', '-journal'] as const

const mountsBySqlite = new WeakMap<Sqlite3Static, Map<string, Mounted>>()

function mountsOf(sqlite3: Sqlite3Static): Map<string, Mounted> {
  const existing = mountsBySqlite.get(sqlite3)
  if (existing) return existing
  const mounts = new Map<string, Mounted>()
  installVfs(sqlite3, mounts)
  mountsBySqlite.set(sqlite3, mounts)
  return mounts
}

/** A C struct with its members, each under its name with a `$`; the package's typings omit the `$`. */
interface Struct {
  [member: `$${string}`]: unknown
  readonly pointer: unknown
  dispose(): void
}

function installVfs(sqlite3: Sqlite3Static, mounts: ReadonlyMap<string, Mounted>): void {
  const { capi, wasm } = sqlite3
  const open = new Map<number, OpenFile>()
  // The heap can move when it grows, so views of it are never kept.
  const bytes = (address: number, length: number) => wasm.heap8u().subarray(address, address + length)

  const find = (name: number): { mounted: Mounted; path: string } | undefined => {
    const text = name === 0 ? '' : wasm.cstrToJs(name as never)!
    for (const suffix of suffixes) {
      const mounted = text.endsWith(suffix) ? mounts.get(text.slice(0, text.length - suffix.length)) : undefined
      if (mounted !== undefined) return { mounted, path: mounted.path + suffix }
    }
    return undefined
  }
  /** Runs a call of the disk. If it throws, keeps the error and returns SQLite's code. */
  const attempt = (mounted: Mounted, code: number, work: () => number | void): number => {
    try {
      return work() ?? 0
    } catch (error) {
      mounted.failure = error
      return code
    }
  }
  const attemptAt = (pointer: number, code: number, work: (opened: OpenFile) => number | void): number => {
    const opened = open.get(pointer)
    return opened === undefined ? code : attempt(opened.mounted, code, () => work(opened))
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
          const code = attemptAt(file, capi.SQLITE_IOERR_CLOSE, (opened) => opened.file.close())
          open.delete(file)
          return code
        },
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN,
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xFileSize: (file: number, out: number) =>
          attemptAt(file, capi.SQLITE_IOERR_FSTAT, (opened) => {
            wasm.poke64(out, BigInt(opened.file.size()))
          }),
        xLock: () => 0,
        xUnlock: () => 0,
        xRead: (file: number, target: number, length: number, offset: bigint) =>
          attemptAt(file, capi.SQLITE_IOERR_READ, (opened) => {
            const into = bytes(target, length)
            const read = opened.file.read(into, Number(offset))
            if (read === length) return 0
            into.fill(0, read)
            return capi.SQLITE_IOERR_SHORT_READ
          }),
        xSectorSize: () => 4096,
        xSync: (file: number) =>
          attemptAt(file, capi.SQLITE_IOERR_FSYNC, (opened) => {
            opened.file.sync()
            if (!opened.isNew) return
            opened.mounted.disk.syncFolder(opened.path)
            opened.isNew = false
          }),
        xTruncate: (file: number, size: bigint) =>
          attemptAt(file, capi.SQLITE_IOERR_TRUNCATE, (opened) => opened.file.truncate(Number(size))),
        xWrite: (file: number, source: number, length: number, offset: bigint) =>
          attemptAt(file, capi.SQLITE_IOERR_WRITE, (opened) =>
            opened.file.write(bytes(source, length), Number(offset)),
          ),
      },
    },
  } as never)

  const vfs = new capi.sqlite3_vfs() as unknown as Struct
  vfs.$iVersion = 1
  vfs.$szOsFile = (
    capi.sqlite3_file as unknown as { readonly structInfo: { readonly sizeof: number } }
  ).structInfo.sizeof
  vfs.$mxPathname = 512
  vfs.$zName = wasm.allocCString(fileVfsName, false) as never
  const standard = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null as never) as never) as unknown as Struct
  vfs.$xRandomness = standard.$xRandomness
  vfs.$xSleep = standard.$xSleep
  // Only functions that Scrubjay does not use need the time, but the entry must exist.
  vfs.$xCurrentTime = standard.$xCurrentTime
  standard.dispose()
  sqlite3.vfs.installVfs({
    vfs: {
      struct: vfs,
      name: fileVfsName,
      methods: {
        xAccess: (_vfs: number, name: number, _flags: number, out: number) => {
          const found = find(name)
          wasm.poke32(out, 0)
          if (found === undefined) return 0
          return attempt(found.mounted, capi.SQLITE_IOERR_ACCESS, () => {
            wasm.poke32(out, found.mounted.disk.exists(found.path) ? 1 : 0)
          })
        },
        xDelete: (_vfs: number, name: number, mustSync: number) => {
          const found = find(name)
          if (found === undefined) return capi.SQLITE_IOERR_DELETE_NOENT
          const { mounted, path } = found
          return attempt(mounted, capi.SQLITE_IOERR_DELETE, () => {
            mounted.disk.remove(path)
            if (mustSync !== 0) mounted.disk.syncFolder(path)
          })
        },
        xFullPathname: (_vfs: number, name: number, length: number, out: number) =>
          (wasm.cstrncpy(out as never, name as never, length) as number) < length ? 0 : capi.SQLITE_CANTOPEN,
        xGetLastError: () => 0,
        xOpen: (_vfs: number, name: number, pointer: number, flags: number, outFlags: number) => {
          const found = find(name)
          // SQLite keeps temporary files in its own memory, so a request for another file is a bug.
          if (found === undefined) return capi.SQLITE_CANTOPEN
          const { mounted, path } = found
          return attempt(mounted, capi.SQLITE_CANTOPEN, () => {
            const isNew = !mounted.disk.exists(path)
            const file = mounted.disk.open(path, (flags & capi.SQLITE_OPEN_CREATE) !== 0)
            open.set(pointer, { mounted, path, file, isNew })
            const opened = new capi.sqlite3_file(pointer as never) as unknown as Struct
            opened.$pMethods = ioMethods.pointer
            opened.dispose()
            if (outFlags !== 0) wasm.poke32(outFlags, flags)
          })
        },
      },
    },
  } as never)
}
