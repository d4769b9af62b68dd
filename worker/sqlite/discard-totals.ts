/**
 * Makes FTS5 discard its cached totals after SQLite has rolled back a transaction by itself. If FTS5 (SQLite 3.54) cannot read its totals
 * because of an I/O error, SQLite rolls back first. Then FTS5 marks the totals as valid, although it has set them to zero. The next
 * transaction would store them, and lengths and ranks would be wrong from then on. A rollback in which the table takes part discards them.
 */
import type { Database } from './database.ts'

/** Must be called outside a transaction. Changes nothing in the database. `rollback` ends a transaction if one is open. */
export function discardTotals(database: Pick<Database, 'execute' | 'each'>, rollback: () => void): void {
  const tables: string[] = []
  database.each(fts5Tables, [], (row) => tables.push(row.text(0)))
  database.execute('BEGIN IMMEDIATE')
  try {
    // Keys are above 0. Any statement that may write makes the table take part.
    for (const table of tables) database.execute(`DELETE FROM ${table} WHERE rowid = -1`)
  } finally {
    rollback()
  }
}

const fts5Tables = `SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%'`
