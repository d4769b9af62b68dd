/**
 * A second connection to a file that somebody else writes, for as long as none of that reaches the file: opened as immutable, it takes
 * no lock, looks for no journal, and never writes.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { openSqliteDatabase, type SqliteDatabase, type SqliteOptions } from '../../sqlite/sqlite-database.ts'

/** `prepare`: what is to be done before the first page is read. */
export function openSnapshot(
  sqlite3: Sqlite3Static,
  { filename, ...options }: SqliteOptions,
  prepare: (database: SqliteDatabase) => void = () => undefined,
): SqliteDatabase {
  const separator = filename.includes('?') ? '&' : '?'
  const name = filename.startsWith('file:') ? filename : `file:${encodeURI(filename)}`
  const database = openSqliteDatabase(sqlite3, {
    ...options,
    filename: `${name}${separator}immutable=1`,
    isReader: true,
  })
  try {
    prepare(database)
    database.execute(`PRAGMA cache_size=${readerCacheKiB}`)
    database.execute(`PRAGMA query_only=ON`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Negative: KiB. Less than the writer's: it lives as long as one transaction. */
const readerCacheKiB = -8192
