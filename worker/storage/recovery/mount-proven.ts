/** Opens a database of proven pages, only for reading. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { directoryName } from '../../../src/protocol/store-directory.ts'
import { mountPageFile, pageVfsName } from '../../sqlite/pages/page-vfs.ts'
import { openSqliteDatabase } from '../../sqlite/sqlite-database.ts'
import type { DamagedStore } from '../common/port.ts'
import { fileOfProven, type ProvenPages } from './proven-pages.ts'

let mountCount = 0

export function mounted(
  sqlite3: Sqlite3Static,
  name: string,
  pages: ProvenPages,
  release: () => void,
): Pick<DamagedStore, 'database' | 'close'> {
  const path = `/salvage-${++mountCount}-${directoryName(name)}`
  const unmount = mountPageFile(sqlite3, path, fileOfProven(pages))
  try {
    const database = openSqliteDatabase(sqlite3, { filename: path, vfs: pageVfsName })
    // Lets SQLite use the part of a damaged schema before the damage. The file is read-only anyway.
    sqlite3.capi.sqlite3_db_config(database.pointer, sqlite3.capi.SQLITE_DBCONFIG_DEFENSIVE, 0, 0 as never)
    database.execute('PRAGMA writable_schema=ON')
    database.boundWork()
    const close = () => {
      database.close()
      unmount()
      release()
    }
    return { database, close }
  } catch (error) {
    unmount()
    throw error
  }
}
