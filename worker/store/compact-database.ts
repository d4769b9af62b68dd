/**
 * Rewrites the database: text index merged into one segment, every page written anew, none left free. Forgetting overwrites
 * what it deletes (`secure_delete`), but not copies in the gap of a page whose cells SQLite moved to balance its tree (seen:
 * 2 of 100 words); those go here.
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
