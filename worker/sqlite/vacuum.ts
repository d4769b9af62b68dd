/** Writes a whole database again. */
import type { SqliteDatabase } from './sqlite-database.ts'

/** VACUUM cannot be split into steps, and needs free space of the size of the database. */
export function vacuum(database: SqliteDatabase): void {
  const { capi } = database.sqlite3
  // VACUUM attaches the copy that it writes. Attaching is forbidden otherwise.
  const limit = capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, 1)
  try {
    database.execute('VACUUM')
  } finally {
    capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, limit)
  }
}
