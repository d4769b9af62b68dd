/**
 * The database driver: seven members, synchronous, over SQLite's raw C interface.
 * Statements are prepared once per SQL text. Rows are visited through one reused cursor, so that reading
 * ten thousand integers allocates nothing; text is read with its length, so that NUL characters survive.
 */

export type BindValue = string | number | null | Uint8Array

/** A view of the current row; valid only during the visit. Columns count from 0. */
export interface Row {
  /** NULL reads as 0. Integers are exact up to 2^53. */
  number(column: number): number
  numberOrNull(column: number): number | null
  /** NULL reads as ''. */
  text(column: number): string
  textOrNull(column: number): string | null
  /** A copy of the blob's bytes. */
  bytes(column: number): Uint8Array<ArrayBuffer>
  /** The blob in place; gone when the visit returns. */
  bytesInPlace(column: number): Uint8Array
}

export interface OpenTransaction {
  /** Throws when it could not be committed; `rollback` is to follow then. */
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
   * All or nothing; nested calls join the outer transaction. `work` may run twice: on a full disk, room is made and it is tried
   * again. `isDeletion`: may use the room that is kept for deletions (reserve-space.ts); default false.
   */
  transaction<T>(work: () => T, isDeletion?: boolean): T
  /** A transaction that goes on until it is ended; what is called meanwhile joins it. `isDeletion` as above. */
  begin(isDeletion?: boolean): OpenTransaction
  /**
   * For reads alone, which become one transaction: otherwise each statement is one of its own and asks the file for its
   * size. Nested calls join the outer transaction.
   */
  reading<T>(work: () => T): T
  /** While `work` runs, SQL may write the text index's own tables, which it else may not (SQLITE_DBCONFIG_DEFENSIVE). */
  undefended<T>(work: () => T): T
  close(): void
}

/** First row mapped, or undefined. */
export function first<T>(
  database: Database,
  sql: string,
  bind: readonly BindValue[],
  map: (row: Row) => T,
): T | undefined {
  let found: T | undefined
  let seen = false
  database.each(sql, bind, (row) => {
    if (seen) return
    seen = true
    found = map(row)
  })
  return found
}

/** All rows mapped. */
export function all<T>(database: Database, sql: string, bind: readonly BindValue[], map: (row: Row) => T): T[] {
  const mapped: T[] = []
  database.each(sql, bind, (row) => mapped.push(map(row)))
  return mapped
}
