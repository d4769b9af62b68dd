/**
 * Opens a second connection to a file that another connection writes, for as long as no write reaches the file. It is opened as
 * immutable: it takes no lock, reads no journal, and never writes.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { SqliteOptions } from '../../sqlite/connection.ts'
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/sqlite-database.ts'

/** `prepare` runs before the first page is read. */
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
    database.boundWork()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Negative: KiB. Smaller than the writer's cache, because the connection lives only for one transaction. */
const readerCacheKiB = -8192
