/**
 * Rewrites the database: text index merged into one segment, every page written anew, none left free. What was forgotten
 * was overwritten when it was (`secure_delete`); this gives its room back as well.
 */
import { type Database, first } from './database.ts'

export function databaseFileBytes(database: Database): number {
  const pragma = (name: string) => first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
  return pragma('page_count') * pragma('page_size')
}

export function compactDatabase(database: Database): void {
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('optimize')`)
  database.execute('VACUUM')
}
