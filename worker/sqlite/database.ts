/**
 * Defines the database driver: synchronous, over SQLite's C interface. It prepares one statement for each SQL text.
 * Rows are visited through one reused cursor, so that reading 10,000 integers allocates nothing. Text is read with its length, so
 * that NUL characters survive.
 */

export type BindValue = string | number | null | Uint8Array

/** A view of the current row, valid only during the visit. Columns count from 0. */
export interface Row {
  /** NULL reads as 0. Integers are exact up to 2^53. */
  number(column: number): number
  numberOrNull(column: number): number | null
  /** NULL reads as ''. */
  text(column: number): string
  textOrNull(column: number): string | null
  /** A copy of the blob's bytes. */
  bytes(column: number): Uint8Array<ArrayBuffer>
  /** The blob without a copy, valid only during the visit. */
  bytesInPlace(column: number): Uint8Array
}

export interface OpenTransaction {
  /** Throws if the commit fails; then the caller must call `rollback`. */
  commit(): void
  /** Never throws. */
  rollback(): void
}

export interface Database {
  /** Runs one statement and returns the number of rows it changed. */
  execute(sql: string, bind?: readonly BindValue[]): number
  /** Visits each row of one query. */
  each(sql: string, bind: readonly BindValue[], visit: (row: Row) => void): void
  /**
   * Runs `work` in one transaction; nested calls join the outer one. `work` may run twice: if the disk is full and space could be
   * freed, it is tried again. `isDeletion`: may use the space reserved for deletions (reserve-space.ts); default false.
   */
  transaction<T>(work: () => T, isDeletion?: boolean): T
  /** Opens a transaction that lasts until the returned object ends it; calls in between join it. `isDeletion`: as above. */
  begin(isDeletion?: boolean): OpenTransaction
  /**
   * Runs reads in one transaction. Otherwise each statement is its own and asks the file for its size. Nested calls join the outer
   * transaction.
   */
  reading<T>(work: () => T): T
  /** While `work` runs, SQL may write the text index's shadow tables; SQLITE_DBCONFIG_DEFENSIVE forbids it otherwise. */
  undefended<T>(work: () => T): T
  close(): void
}

/** Maps the first row; undefined if there is none. */
export function first<T>(
  database: Database,
  sql: string,
  bind: readonly BindValue[],
  map: (row: Row) => T,
): T | undefined {
  let mapped: T | undefined
  let seen = false
  database.each(sql, bind, (row) => {
    if (seen) return
    seen = true
    mapped = map(row)
  })
  return mapped
}

/** Maps all rows. */
export function all<T>(database: Database, sql: string, bind: readonly BindValue[], map: (row: Row) => T): T[] {
  const mapped: T[] = []
  database.each(sql, bind, (row) => mapped.push(map(row)))
  return mapped
}

/** Counts row by row: SQLite counts the pages of a plain `count(*)` in one step, which nothing ends in a damaged tree. */
export function countRows(database: Database, table: string): number {
  return first(database, `SELECT total(1) FROM ${table}`, [], (row) => row.number(0)) ?? 0
}
