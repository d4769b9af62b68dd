/** Returns a whole database as text, and FTS5's own check of its index: the laws of writing compare these. */
import { all, type Database } from '../../../worker/sqlite/database.ts'

/**
 * Every row of every table, FTS5's shadow tables included, in key order: equal dumps are equal stores. The random device id of the
 * store is left out, so that two stores with the same history have the same dump. `without`: tables that are left out.
 */
export function dump(database: Database, without: readonly string[] = []): string {
  const tables = all(
    database,
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'record_fts' ORDER BY name`,
    [],
    (row) => row.text(0),
  ).filter((table) => !without.includes(table))
  const text = tables.map((table) => `${table}\n${rowsOf(database, table)}`).join('\n')
  const [device] = all(database, `SELECT 1 FROM sqlite_schema WHERE name = 'settings'`, [], () => true)[0]
    ? all(database, `SELECT value FROM settings WHERE name = 'device'`, [], (row) => row.text(0))
    : []
  return device === undefined ? text : text.replaceAll(device, 'own device')
}

/** Throws STORE_CORRUPT when the text index and the text disagree. */
export function checkTextIndex(database: Database): void {
  database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('integrity-check', 1)`)
}

/** Rows changed since the connection was opened. */
export function totalChanges(database: Database): number {
  return all(database, `SELECT total_changes()`, [], (row) => row.number(0))[0] ?? 0
}

function rowsOf(database: Database, table: string): string {
  const columns = all(database, `SELECT name FROM pragma_table_info(?)`, [table], (row) => row.text(0))
  const spelled = columns.map((column) => `quote("${column}")`).join(` || ' ' || `)
  return all(database, `SELECT ${spelled} FROM "${table}" ORDER BY 1`, [], (row) => row.text(0)).join('\n')
}
