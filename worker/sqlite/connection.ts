/** Opens and hardens a connection to SQLite. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { RecallError } from '../../src/core/model/errors.ts'
import type { Database } from './database.ts'
import { errorOfCode, memoryError } from './errors.ts'

export interface SqliteOptions {
  /** File name of the database in its VFS, or `:memory:`. */
  readonly filename: string
  readonly vfs?: string | undefined
  /** Opens an existing file for reads; does not create one. */
  readonly isReader?: boolean | undefined
  /** Translates an extended result code to the actual cause, if the VFS knows it. */
  readonly explainFailure?: ((code: number) => RecallError | null) | undefined
  /** Reserved space on the disk, if the storage has some. */
  readonly room?: {
    /** Called before a commit: makes sure that its pages fit. Throws QUOTA_EXCEEDED. */
    ensure(pages: number, isDeletion: boolean): void
    /** Called after a failure: whether space was freed, so that a second attempt makes sense. A deletion may use the reserved space. */
    regain(isDeletion: boolean): boolean
  }
}

export function connect(sqlite3: Sqlite3Static, { filename, vfs, isReader, explainFailure }: SqliteOptions) {
  try {
    return new sqlite3.oo1.DB({ filename, flags: isReader ? 'r' : 'c', ...(vfs ? { vfs } : {}) })
  } catch (error) {
    if (error instanceof sqlite3.WasmAllocError) throw memoryError(error.message)
    const { resultCode, message } = error as { readonly resultCode?: number; readonly message: string }
    const code = resultCode ?? sqlite3.capi.SQLITE_CANTOPEN
    throw explainFailure?.(code) ?? errorOfCode(code, message, `opening ${filename}`)
  }
}

export function defend({ capi }: Sqlite3Static, pointer: number, isOn: boolean): void {
  capi.sqlite3_db_config(pointer, capi.SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0, 0 as never)
}

/** Settings of every connection: an untrusted schema, checked cells, overwritten deletions. */
export function harden(sqlite3: Sqlite3Static, pointer: number, database: Database): void {
  const { capi } = sqlite3
  defend(sqlite3, pointer, true)
  for (const pragma of [
    'trusted_schema=OFF',
    'cell_size_check=ON',
    'foreign_keys=ON',
    'secure_delete=ON',
    'temp_store=MEMORY',
  ]) {
    database.execute(`PRAGMA ${pragma}`)
  }
  // The limits of SQLite's security recommendations, with room for our longest row (limits.html).
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_LENGTH, 16_000_000)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_SQL_LENGTH, 100_000)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_ATTACHED, 0)
  capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_EXPR_DEPTH, 300)
}
