/**
 * Types and helpers for the raw side of `@sqlite.org/sqlite-wasm` that its own typings lack: its memory and the functions in its
 * function table.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { recallError } from '../../src/core/model/errors.ts'

/** The part of a SQLite module that raw callers need. */
export type SqliteModule = Pick<Sqlite3Static, 'capi' | 'wasm'>

/** A C function from the function table. All arguments and results that we use fit an i32, except xRowid's i64. */
export type TableFunction = (...values: readonly number[]) => number

/** SQLite's linear memory, for modules that share it. Throws INVALID_CONFIG if the build does not expose it. */
export function memoryOf(sqlite3: SqliteModule): WebAssembly.Memory {
  const { memory } = sqlite3.wasm as { readonly memory?: unknown }
  if (memory instanceof WebAssembly.Memory) return memory
  throw recallError('INVALID_CONFIG', 'This build of SQLite does not expose its memory')
}

/** The function of a C function pointer. Throws INVALID_CONFIG for a null or dangling pointer. */
export function functionAt(sqlite3: SqliteModule, pointer: number): TableFunction {
  const entry: unknown = pointer === 0 ? null : sqlite3.wasm.functionTable().get(pointer)
  if (typeof entry === 'function') return entry as TableFunction
  throw recallError('INVALID_CONFIG', 'SQLite holds no function at this table index', { value: pointer })
}

/** The i32 at slot `index` of an array or struct of pointers (wasm32). */
export function slotAt(sqlite3: SqliteModule, address: number, index: number): number {
  return sqlite3.wasm.peek32(address + 4 * index) as number
}
