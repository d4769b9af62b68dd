/** Reads the C structs of SQLite's files and VFS methods, and installs functions in their place. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

export interface IoMethods {
  $xRead: number
  $xWrite: number
  $xSync: number
  $xTruncate: number
  $xFileSize: number
  $xFileControl: number
  $xClose: number
  dispose(): void
}

export function installed(wasm: Sqlite3Static['wasm'], signature: string, work: (...given: never[]) => number): number {
  return wasm.installFunction(signature as never, work as never) as unknown as number
}

/** Returns 0 if the file is not open. */
export function methodsOf({ capi }: Sqlite3Static, file: number): number {
  const members = new capi.sqlite3_file(file as never) as unknown as { $pMethods: number; dispose(): void }
  const methods = members.$pMethods
  members.dispose()
  return methods
}

/** Asks SQLite for a file by a file-control code. Returns 0 if there is none. */
export function fileOf({ capi, wasm }: Sqlite3Static, connection: number, question: number): number {
  const top = wasm.pstack.pointer
  try {
    const out = wasm.pstack.alloc(8)
    wasm.poke32(out, 0)
    const code = capi.sqlite3_file_control(connection as never, 'main', question as never, out as never)
    return code === 0 ? (wasm.peekPtr(out) as number) : 0
  } finally {
    wasm.pstack.restore(top)
  }
}
