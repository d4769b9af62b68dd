/** Translates SQLite's result codes to `RecallError`s. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { salvageHint } from '../../src/protocol/salvage.ts'

/** The error for memory that ran out; the vector kernel uses it, too. */
export function memoryError(problem: string): RecallError {
  return recallError('QUOTA_EXCEEDED', `Memory ran out: ${problem}`, {
    hint: 'Close other tabs or stores, or ask for less, then try again. The stored data are intact.',
  })
}

/** Translates a failed allocation in SQLite's memory; returns any other error unchanged. */
export function typedMemoryError(sqlite3: Pick<Sqlite3Static, 'WasmAllocError'>, error: unknown): unknown {
  return error instanceof sqlite3.WasmAllocError ? memoryError(error.message) : error
}

/** Whether a code is SQLITE_NOMEM, or SQLITE_IOERR_NOMEM of a storage layer. */
export function isMemoryCode(code: number): boolean {
  return (code & 0xff) === 7 || code === 3082
}

/** Translates a SQLite result code. */
export function errorOfCode(code: number, message: string, sql: string): RecallError {
  const primary = code & 0xff
  if (isMemoryCode(code)) return memoryError(message)
  if (primary === 13) {
    return recallError('QUOTA_EXCEEDED', `The store is full: ${message}`, {
      hint: 'Forget records or free space, then try again. The stored data are intact.',
    })
  }
  // 8202 is SQLITE_IOERR_DATA: the read succeeded, but the page's checksum is wrong (page-checksum.ts).
  if (primary === 11 || primary === 26 || code === 8202) {
    return recallError('STORE_CORRUPT', `The database is damaged: ${message}`, {
      hint: salvageHint,
    })
  }
  if (primary === 5 || primary === 6) {
    return recallError('STORE_BUSY', `Another connection has the database locked: ${message}`, {
      hint: 'Close the other tab or worker, then try again.',
    })
  }
  if (primary === 9) {
    return recallError('DEADLINE_EXCEEDED', 'The query ran longer than its deadline', {
      hint: 'Ask for less, or narrow the scope.',
    })
  }
  if (primary === 10 || primary === 14) {
    return recallError('STORAGE_UNAVAILABLE', `Storage failed: ${message} (code ${code})`, {
      hint: 'Try again. If it fails again, reopen the store.',
    })
  }
  return recallError('STORE_CORRUPT', `SQLite refused: ${message} (code ${code}) in ${sql.slice(0, 200)}`, {
    hint: salvageHint,
  })
}
