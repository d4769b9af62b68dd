/**
 * Stands between SQLite and a VFS that is not ours: pages of the main file go to disk with empty gaps and sealed, and come
 * back only as they went. Journals keep what they are given: they have checksums of their own, made before.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { zeroGap } from './page-gap.ts'
import { pageBytes } from './page-file.ts'
import { formatBytes, formatOf, type PageFormat } from './page-format.ts'
import { isSealed, sealBytes, sealPage } from './page-seal.ts'

/**
 * From now on, until it is closed, all pages of this connection's main file are guarded. Pages are sealed where the file has
 * room for it: one made after `reserveSeals`, or compacted since. A page that is not as it was sealed is SQLITE_IOERR_DATA.
 */
export function guardPagesOf(sqlite3: Sqlite3Static, connection: number): void {
  const { capi, wasm } = sqlite3
  const file = mainFileOf(sqlite3, connection)
  const members = new capi.sqlite3_file(file as never) as unknown as { $pMethods: number; dispose(): void }
  const methods = members.$pMethods
  members.dispose()
  let guard = guardsByMethods.get(wasm)?.get(methods)
  if (guard === undefined) {
    guard = wrapMethods(sqlite3, methods)
    const known = guardsByMethods.get(wasm) ?? new Map<number, Guard>()
    guardsByMethods.set(wasm, known.set(methods, guard))
  }
  guard.files.set(file, { format: readFormat(sqlite3, guard, file) })
}

/** SQLite may have looked at the header before anybody stood in between. */
function readFormat({ wasm }: Sqlite3Static, { read }: Guard, file: number): PageFormat {
  const top = wasm.pstack.pointer
  try {
    const header = wasm.pstack.alloc(formatBytes) as number
    const code = read(file, header, formatBytes, 0n)
    return code === 0 ? formatOf(wasm.heap8u().subarray(header, header + formatBytes)) : noFormat
  } finally {
    wasm.pstack.restore(top)
  }
}

/** Room for seals in a file that is made or compacted from now on. After the page size, before the first page. */
export function reserveSeals({ capi, wasm }: Sqlite3Static, connection: number): void {
  const top = wasm.pstack.pointer
  try {
    const bytes = wasm.pstack.alloc(8)
    wasm.poke32(bytes, sealBytes)
    capi.sqlite3_file_control(connection as never, 'main', capi.SQLITE_FCNTL_RESERVE_BYTES, bytes as never)
  } finally {
    wasm.pstack.restore(top)
  }
}

/** Of a file that is empty. */
const noFormat: PageFormat = { reserved: 0, hasMaps: false }

interface Guarded {
  /** What the header said when it was last read or written: a checkpoint writes it before all other pages. */
  format: PageFormat
}

interface Guard {
  readonly files: Map<number, Guarded>
  /** As the VFS has it. */
  readonly read: Transfer
}

/** The files that are guarded, by the methods they share; methods live as long as their SQLite. */
const guardsByMethods = new WeakMap<object, Map<number, Guard>>()

interface IoMethods {
  $xRead: number
  $xWrite: number
  $xClose: number
  dispose(): void
}

function wrapMethods({ capi, wasm }: Sqlite3Static, pointer: number): Guard {
  const files: Guard['files'] = new Map()
  const methods = new capi.sqlite3_io_methods(pointer as never) as unknown as IoMethods
  const read = wasm.functionEntry(methods.$xRead as never) as unknown as Transfer
  const write = wasm.functionEntry(methods.$xWrite as never) as unknown as Transfer
  const close = wasm.functionEntry(methods.$xClose as never) as unknown as (file: number) => number
  const learn = (guarded: Guarded, bytes: Uint8Array, offset: bigint) => {
    if (offset === 0n && bytes.length >= formatBytes) guarded.format = formatOf(bytes)
  }
  methods.$xRead = installed(wasm, 'i(ppij)', (file: number, target: number, length: number, offset: bigint) => {
    const code = read(file, target, length, offset)
    const guarded = files.get(file)
    if (code !== 0 || guarded === undefined) return code
    const bytes = wasm.heap8u().subarray(target, target + length)
    learn(guarded, bytes, offset)
    if (!hasSeals(guarded) || length !== pageBytes || isSealed(bytes, numberOf(offset))) return code
    return capi.SQLITE_IOERR_DATA
  })
  methods.$xWrite = installed(wasm, 'i(ppij)', (file: number, source: number, length: number, offset: bigint) => {
    const guarded = files.get(file)
    if (guarded !== undefined) {
      const bytes = wasm.heap8u().subarray(source, source + length)
      learn(guarded, bytes, offset)
      zeroGap(bytes, numberOf(offset), guarded.format)
      if (hasSeals(guarded) && length === pageBytes) sealPage(bytes, numberOf(offset))
    }
    return write(file, source, length, offset)
  })
  methods.$xClose = installed(wasm, 'i(p)', (file: number) => {
    files.delete(file)
    return close(file)
  })
  methods.dispose()
  return { files, read }
}

type Transfer = (file: number, address: number, length: number, offset: bigint) => number

function hasSeals({ format }: Guarded): boolean {
  return format.reserved === sealBytes
}

function numberOf(offset: bigint): number {
  return Number(offset) / pageBytes
}

function installed(wasm: Sqlite3Static['wasm'], signature: string, work: (...given: never[]) => number): number {
  return wasm.installFunction(signature as never, work as never) as unknown as number
}

function mainFileOf({ capi, wasm }: Sqlite3Static, connection: number): number {
  const top = wasm.pstack.pointer
  try {
    const out = wasm.pstack.alloc(8)
    wasm.poke32(out, 0)
    const code = capi.sqlite3_file_control(connection as never, 'main', capi.SQLITE_FCNTL_FILE_POINTER, out as never)
    const file = wasm.peekPtr(out) as number
    if (code !== 0 || file === 0) throw new Error(`SQLite did not name its file: ${code}`)
    return file
  } finally {
    wasm.pstack.restore(top)
  }
}
