/**
 * Rewrites the database: text index merged into one segment, every page written anew, none left free. What was
 * forgotten is overwritten long before (`secure_delete`, and gaps by persistence/page-gap.ts); here its room goes too.
 */
import { type Database, first } from './database.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

export function databaseFileBytes(database: Database): number {
  const pragma = (name: string) => first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
  return pragma('page_count') * pragma('page_size')
}

export function compactDatabase(database: SqliteDatabase): void {
  const { capi } = database.sqlite3
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('optimize')`)
  // VACUUM attaches the copy it writes; nothing else ever may.
  const limit = capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, 1)
  try {
    database.execute('VACUUM')
  } finally {
    capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_ATTACHED, limit)
  }
}
