/** SQLite's failures as ours: result codes become `RecallError`s here and nowhere else. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { salvageHint } from '../../src/protocol/salvage.ts'

/** What a tab's memory is too small for, as the vector kernel says it too. */
export function memoryError(problem: string): RecallError {
  return recallError('QUOTA_EXCEEDED', `Memory ran out: ${problem}`, {
    hint: 'Close other tabs or ask for less, then try again. The stored data are intact.',
  })
}

/** The error as it was, or ours where SQLite's memory could not grow. */
export function typedMemoryError(sqlite3: Pick<Sqlite3Static, 'WasmAllocError'>, error: unknown): unknown {
  return error instanceof sqlite3.WasmAllocError ? memoryError(error.message) : error
}

/** SQLITE_NOMEM, and SQLITE_IOERR_NOMEM of a storage layer. */
export function isMemoryCode(code: number): boolean {
  return (code & 0xff) === 7 || code === 3082
}

/** SQLite's result codes, as the closed set of ours. */
export function errorOfCode(code: number, message: string, sql: string): RecallError {
  const primary = code & 0xff
  if (isMemoryCode(code)) return memoryError(message)
  if (primary === 13) {
    return recallError('QUOTA_EXCEEDED', `The store is full: ${message}`, {
      hint: 'Forget records or free space, then try again. The stored data are intact.',
    })
  }
  // 8202 is SQLITE_IOERR_DATA: a page that was read well, and is not what was written (page-checksum.ts).
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
  return recallError('STORE_CORRUPT', `SQLite refused: ${message} (code ${code}) in ${sql.slice(0, 200)}`)
}
