/** Puts the zeroing of gaps in front of a VFS that is not ours: between SQLite and its `xWrite`. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { zeroGap } from './page-gap.ts'

/**
 * From now on, until it is closed, every page that goes to the main file of this connection goes with an empty gap. Its
 * journals keep what they are given: their checksums are made before.
 */
export function zeroGapsOf(sqlite3: Sqlite3Static, connection: number): void {
  const { capi, wasm } = sqlite3
  const file = mainFileOf(sqlite3, connection)
  const members = new capi.sqlite3_file(file as never) as unknown as { $pMethods: number; dispose(): void }
  const methods = members.$pMethods
  members.dispose()
  let files = filesByMethods.get(wasm)?.get(methods)
  if (files === undefined) {
    files = new Set()
    const known = filesByMethods.get(wasm) ?? new Map<number, Set<number>>()
    filesByMethods.set(wasm, known.set(methods, files))
    wrapMethods(sqlite3, methods, files)
  }
  files.add(file)
}

/** The files whose gaps are zeroed, by the methods they share; methods live as long as their SQLite. */
const filesByMethods = new WeakMap<object, Map<number, Set<number>>>()

interface IoMethods {
  $xWrite: number
  $xClose: number
  dispose(): void
}

function wrapMethods({ capi, wasm }: Sqlite3Static, pointer: number, files: Set<number>): void {
  const methods = new capi.sqlite3_io_methods(pointer as never) as unknown as IoMethods
  const write = wasm.functionEntry(methods.$xWrite as never) as unknown as Write
  const close = wasm.functionEntry(methods.$xClose as never) as unknown as (file: number) => number
  methods.$xWrite = installed(wasm, 'i(ppij)', (file: number, source: number, length: number, offset: bigint) => {
    if (files.has(file)) zeroGap(wasm.heap8u().subarray(source, source + length), offset === 0n)
    return write(file, source, length, offset)
  })
  methods.$xClose = installed(wasm, 'i(p)', (file: number) => {
    files.delete(file)
    return close(file)
  })
  methods.dispose()
}

type Write = (file: number, source: number, length: number, offset: bigint) => number

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
