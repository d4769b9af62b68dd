/**
 * Wraps the methods of another VFS. Pages of the main file are written with zeroed unallocated space and a checksum, and read only if
 * the checksum fits (compare SQLite's cksumvfs). Journals are passed through, because they have their own checksums. Pages and journals
 * of a locked store are encrypted instead (seal.ts).
 * Both files may be longer than SQLite knows: the rest is reserved space (reserve-space.ts).
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type CombinedWrites, createCombinedWrites } from './combined-writes.ts'
import { hasRightChecksum, checksumBytes, writePageChecksum } from './page-checksum.ts'
import { pageBytes } from './page-file.ts'
import { formatBytes, formatOf, headerBytes, type PageFormat, pagesIn } from './page-format.ts'
import type { RawFile, Seal, Sealing } from './seal.ts'
import { zeroUnallocated } from './unallocated-space.ts'
import { fileOf, installed, type IoMethods, methodsOf } from './vfs-structs.ts'

/**
 * Protects all pages of this connection's main file until it is closed. Pages have checksums if the file reserves space for them:
 * files created after `reserveSeals`, or compacted since. A page with a wrong checksum fails with SQLITE_IOERR_DATA. `seal`: of a locked
 * store; `guardJournalOf` must follow before the thread does anything else, so that the journal is known from its first byte.
 */
export function guardPagesOf(sqlite3: Sqlite3Static, connection: number, seal?: Seal): GuardedFile {
  const { capi, wasm } = sqlite3
  const file = fileOf(sqlite3, connection, capi.SQLITE_FCNTL_FILE_POINTER)
  if (file === 0) throw new Error('SQLite did not name its file.')
  const methods = methodsOf(sqlite3, file)
  let guard = guardsByMethods.get(wasm)?.get(methods)
  if (guard === undefined) {
    guard = wrapMethods(sqlite3, methods)
    const guards = guardsByMethods.get(wasm) ?? new Map<number, Guard>()
    guardsByMethods.set(wasm, guards.set(methods, guard))
  }
  const encrypted = seal?.files(sqlite3)
  const own: Guarded = {
    ...readFormat(sqlite3, guard, file),
    room: noRoom,
    writes: guard.combine(file, encrypted?.main),
    isSealed: seal !== undefined,
  }
  guard.files.set(file, own)
  guard.adopt = encrypted?.journal ?? null
  return handleOf(guard, file, own)
}

/** The journal of a connection after `guardPagesOf`; null if it does not exist yet. */
export function guardJournalOf(sqlite3: Sqlite3Static, connection: number): GuardedFile | null {
  const { capi, wasm } = sqlite3
  const main = fileOf(sqlite3, connection, capi.SQLITE_FCNTL_FILE_POINTER)
  const file = fileOf(sqlite3, connection, capi.SQLITE_FCNTL_JOURNAL_POINTER)
  const guard = guardWith(wasm, main)
  const sealing = guard?.adopt ?? undefined
  if (guard !== undefined) guard.adopt = null
  if (file === 0 || guard === undefined || methodsOf(sqlite3, file) === 0) return null
  const own = { room: noRoom, writes: guard.journals.get(file)?.writes ?? guard.combine(file, sealing) }
  guard.journals.set(file, own)
  return handleOf(guard, file, own)
}

function guardWith(wasm: Sqlite3Static['wasm'], file: number): Guard | undefined {
  for (const guard of guardsByMethods.get(wasm)?.values() ?? []) if (guard.files.has(file)) return guard
  return undefined
}

export interface GuardedFile {
  /** Size in bytes as SQLite sees it. */
  size(): number
  /** Size of the file in bytes. */
  heldBytes(): number
  /** Extends the file with zeros to at least this size. Returns false if the disk is full. */
  extend(bytes: number): boolean
  /** `room` returns the size to keep when SQLite truncates the file to `size`, as far as there is space. */
  keep(room: (size: number) => number): void
}

function handleOf(guard: Guard, file: number, own: Journal & { readonly size?: number }): GuardedFile {
  const heldBytes = () => Math.max(guard.sizeOf(file), own.writes.end())
  return {
    size: () => own.size ?? heldBytes(),
    heldBytes,
    extend: (bytes) => guard.extend(file, bytes),
    keep(room) {
      own.room = room
    },
  }
}

type Room = (size: number) => number

const noRoom: Room = (size) => size

/** Reads the header, because SQLite may have read it before its VFS was wrapped. */
function readFormat({ wasm }: Sqlite3Static, { read, sizeOf }: Guard, file: number): Pick<Guarded, 'format' | 'size'> {
  const bytesOnDisk = sizeOf(file)
  const top = wasm.pstack.pointer
  try {
    const header = wasm.pstack.alloc(headerBytes) as number
    const code = read(file, header, headerBytes, 0n)
    if (code !== 0) return { format: noFormat, size: bytesOnDisk }
    const bytes = wasm.heap8u().subarray(header, header + headerBytes)
    const size = pagesIn(bytes) * pageBytes
    return { format: formatOf(bytes), size: size > 0 && size <= bytesOnDisk ? size : bytesOnDisk }
  } finally {
    wasm.pstack.restore(top)
  }
}

/**
 * Reserves space for checksums in a file that is created or compacted later. Must be called after setting the page size and before
 * the first page is written.
 */
export function reserveSeals({ capi, wasm }: Sqlite3Static, connection: number, bytesOfSeal = checksumBytes): void {
  const top = wasm.pstack.pointer
  try {
    const bytes = wasm.pstack.alloc(8)
    wasm.poke32(bytes, bytesOfSeal)
    capi.sqlite3_file_control(connection as never, 'main', capi.SQLITE_FCNTL_RESERVE_BYTES, bytes as never)
  } finally {
    wasm.pstack.restore(top)
  }
}

/** The format of an empty file. */
const noFormat: PageFormat = { reserved: 0, hasPointerMaps: false }

interface Journal {
  room: Room
  readonly writes: CombinedWrites
}

interface Guarded extends Journal {
  /** The format in the header when it was last read or written. A checkpoint writes the header before all other pages. */
  format: PageFormat
  /** Size without the reserved space, which SQLite must not read as pages. */
  size: number
  readonly isSealed: boolean
}

interface Guard {
  readonly files: Map<number, Guarded>
  readonly journals: Map<number, Journal>
  /** The methods of the wrapped VFS. */
  readonly read: Transfer
  /** Whether the file now has at least this size. */
  readonly extend: (file: number, bytes: number) => boolean
  readonly sizeOf: (file: number) => number
  readonly combine: (file: number, seal?: Sealing) => CombinedWrites
  /** While a locked store opens: seals a file that is not known yet, which is its journal. */
  adopt: Sealing | null
}

/** Protected files by the methods that they share. Methods live as long as their SQLite. */
const guardsByMethods = new WeakMap<object, Map<number, Guard>>()

function wrapMethods(sqlite3: Sqlite3Static, pointer: number): Guard {
  const { capi, wasm } = sqlite3
  const files: Guard['files'] = new Map()
  const journals: Guard['journals'] = new Map()
  const methods = new capi.sqlite3_io_methods(pointer as never) as unknown as IoMethods
  const read = wasm.functionEntry(methods.$xRead as never) as unknown as Transfer
  const write = wasm.functionEntry(methods.$xWrite as never) as unknown as Transfer
  const close = wasm.functionEntry(methods.$xClose as never) as unknown as (file: number) => number
  const sync = wasm.functionEntry(methods.$xSync as never) as unknown as (file: number, flags: number) => number
  const truncate = wasm.functionEntry(methods.$xTruncate as never) as unknown as (file: number, size: bigint) => number
  const fileSize = wasm.functionEntry(methods.$xFileSize as never) as unknown as (file: number, out: number) => number
  const control = wasm.functionEntry(methods.$xFileControl as never) as unknown as Control
  const sizeOf = (file: number) => {
    const top = wasm.pstack.pointer
    try {
      const out = wasm.pstack.alloc(8) as number
      return fileSize(file, out) === 0 ? Number(wasm.peek64(out as never)) : 0
    } finally {
      wasm.pstack.restore(top)
    }
  }
  const combine: Guard['combine'] = (file, seal) => {
    const raw: RawFile = {
      read: (target, length, offset) => read(file, target, length, offset),
      write: (source, length, offset) => write(file, source, length, offset),
    }
    return createCombinedWrites(sqlite3, seal === undefined ? raw : seal(raw))
  }
  const ownOf = (file: number): Journal | undefined => {
    const own = files.get(file) ?? journals.get(file)
    if (own !== undefined || guard.adopt === null) return own
    const adopted = { room: noRoom, writes: combine(file, guard.adopt) }
    journals.set(file, adopted)
    return adopted
  }
  const learn = (guarded: Guarded, bytes: Uint8Array, offset: bigint) => {
    if (offset === 0n && bytes.length >= formatBytes) guarded.format = formatOf(bytes)
  }
  const extend = (file: number, bytes: number) => {
    if (sizeOf(file) >= bytes) return true
    if (truncate(file, BigInt(bytes)) !== 0) return false
    if (sizeOf(file) >= bytes) return true
    // In Chromium's private windows, a truncate does not extend a file.
    const top = wasm.pstack.pointer
    try {
      const zero = wasm.pstack.alloc(8) as number
      wasm.poke8(zero as never, 0)
      return write(file, zero, 1, BigInt(bytes - 1)) === 0
    } finally {
      wasm.pstack.restore(top)
    }
  }
  methods.$xRead = installed(wasm, 'i(ppij)', (file: number, target: number, length: number, offset: bigint) => {
    const guarded = files.get(file)
    if (guarded !== undefined && Number(offset) >= guarded.size) {
      // Like a read behind the end of the file: reserved space contains no pages.
      wasm.heap8u().fill(0, target, target + length)
      return capi.SQLITE_IOERR_SHORT_READ
    }
    const writes = ownOf(file)?.writes
    const code = writes?.read(target, length, Number(offset)) ?? read(file, target, length, offset)
    if (code !== 0 || guarded === undefined) return code
    const bytes = wasm.heap8u().subarray(target, target + length)
    learn(guarded, bytes, offset)
    if (!hasChecksums(guarded) || length !== pageBytes || hasRightChecksum(bytes, numberOf(offset))) return code
    return capi.SQLITE_IOERR_DATA
  })
  methods.$xWrite = installed(wasm, 'i(ppij)', (file: number, source: number, length: number, offset: bigint) => {
    const guarded = files.get(file)
    if (guarded !== undefined) {
      const bytes = wasm.heap8u().subarray(source, source + length)
      learn(guarded, bytes, offset)
      zeroUnallocated(bytes, numberOf(offset), guarded.format)
      if (hasChecksums(guarded) && length === pageBytes) writePageChecksum(bytes, numberOf(offset))
    }
    const writes = ownOf(file)?.writes
    const code = writes?.write(source, length, Number(offset)) ?? write(file, source, length, offset)
    if (code === 0 && guarded !== undefined) guarded.size = Math.max(guarded.size, Number(offset) + length)
    return code
  })
  methods.$xSync = installed(wasm, 'i(pi)', (file: number, flags: number) => {
    return ownOf(file)?.writes.sync() || sync(file, flags)
  })
  methods.$xTruncate = installed(wasm, 'i(pj)', (file: number, size: bigint) => {
    const own = ownOf(file)
    const code = own?.writes.flush() || truncate(file, size)
    if (code !== 0 || own === undefined) return code
    if ('size' in own) own.size = Number(size)
    // Truncating first and extending after it fills the space with zeros.
    const keptSize = own.room(Number(size))
    if (keptSize > Number(size)) extend(file, keptSize)
    return code
  })
  methods.$xFileSize = installed(wasm, 'i(pp)', (file: number, out: number) => {
    const guarded = files.get(file)
    if (guarded !== undefined) {
      wasm.poke64(out as never, BigInt(guarded.size))
      return 0
    }
    return journals.get(file)?.writes.flush() || fileSize(file, out)
  })
  methods.$xFileControl = installed(wasm, 'i(pip)', (file: number, operation: number, out: number) => {
    // Closing must keep the journal, and so its reserved space.
    if (operation !== capi.SQLITE_FCNTL_PERSIST_WAL || !files.has(file)) return control(file, operation, out)
    wasm.poke32(out as never, 1)
    return 0
  })
  methods.$xClose = installed(wasm, 'i(p)', (file: number) => {
    const writes = ownOf(file)?.writes
    const code = writes?.flush() ?? 0
    writes?.free()
    if (files.get(file)?.isSealed) guard.adopt = null
    files.delete(file)
    journals.delete(file)
    return close(file) || code
  })
  methods.dispose()
  const guard: Guard = { files, journals, read, extend, sizeOf, combine, adopt: null }
  return guard
}

type Control = (file: number, operation: number, out: number) => number

type Transfer = (file: number, address: number, length: number, offset: bigint) => number

function hasChecksums({ format, isSealed }: Guarded): boolean {
  return !isSealed && format.reserved >= checksumBytes
}

function numberOf(offset: bigint): number {
  return Number(offset) / pageBytes
}
