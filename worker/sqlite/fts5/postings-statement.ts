/**
 * Runs one statement on a raw connection: prepare, bind, step, finalize. For the posting readers, which get only a connection's
 * pointer and must not use the driver's statement cache. Failures become `RecallError`s.
 */
import { errorOfCode } from '../errors.ts'
import type { SqliteModule } from '../types.ts'

export interface Statement {
  /** Binds values to ?1, ?2, … and visits each row; `visit` reads columns from the statement's pointer. */
  run(values: readonly (string | number)[], visit?: (statement: number) => void): void
  finalize(): void
}

/** Runs a statement once. */
export function runOnce(
  sqlite3: SqliteModule,
  database: number,
  sql: string,
  values: readonly (string | number)[] = [],
  visit?: (statement: number) => void,
): void {
  const statement = prepareStatement(sqlite3, database, sql)
  try {
    statement.run(values, visit)
  } finally {
    statement.finalize()
  }
}

/** Prepares a statement to run many times. Throws if the SQL does not compile. */
export function prepareStatement(sqlite3: SqliteModule, database: number, sql: string): Statement {
  const { capi, wasm } = sqlite3
  const check = (code: number) => {
    if (code !== capi.SQLITE_OK) throw errorOfCode(code, String(capi.sqlite3_errmsg(database)), sql)
  }
  const pointer = withSlot(sqlite3, (slot) => {
    check(capi.sqlite3_prepare_v3(database, sql, -1, capi.SQLITE_PREPARE_PERSISTENT, slot, null))
    return wasm.peekPtr(slot) as number
  })
  const step = (): boolean => {
    const code = capi.sqlite3_step(pointer)
    if (code !== capi.SQLITE_ROW && code !== capi.SQLITE_DONE) check(code)
    return code === capi.SQLITE_ROW
  }
  const bind = (index: number, value: string | number): number => {
    if (typeof value === 'number') return capi.sqlite3_bind_double(pointer, index, value)
    // As a pointer, because sqlite3_bind_text of 3.54.1-build1 throws for JavaScript strings.
    const [text, bytes] = wasm.allocCString(value, true)
    return capi.sqlite3_bind_text(pointer, index, text, bytes, capi.SQLITE_WASM_DEALLOC)
  }
  return {
    run(values, visit) {
      try {
        for (const [i, value] of values.entries()) check(bind(i + 1, value))
        while (step()) visit?.(pointer)
      } finally {
        capi.sqlite3_reset(pointer)
        capi.sqlite3_clear_bindings(pointer)
      }
    },
    finalize() {
      capi.sqlite3_finalize(pointer)
    },
  }
}

/** Calls `use` with eight zeroed bytes of SQLite's memory for an output pointer. */
export function withSlot<T>(sqlite3: SqliteModule, use: (slot: number) => T): T {
  const { pstack } = sqlite3.wasm
  const before = pstack.pointer
  try {
    return use(pstack.alloc(8))
  } finally {
    pstack.restore(before)
  }
}
