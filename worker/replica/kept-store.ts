/** The database of a closed node as bytes, so that the store can be opened again without importing all its rows. */
import { copyDatabase } from '../sqlite/copy-database.ts'
import { openSqliteDatabase, type SqliteDatabase, typedMemoryError } from '../sqlite/sqlite-database.ts'

export function bytesOf({ sqlite3: { capi }, pointer }: SqliteDatabase): Uint8Array<ArrayBuffer> {
  return capi.sqlite3_js_db_export(pointer) as Uint8Array<ArrayBuffer>
}

/** Fills an empty database. Throws QUOTA_EXCEEDED without memory, and another error unless the bytes are a database. */
export function fillFrom(bytes: Uint8Array, target: SqliteDatabase): void {
  const { sqlite3 } = target
  const { capi, wasm } = sqlite3
  const source = openSqliteDatabase(sqlite3, { filename: ':memory:' })
  try {
    const address = wasm.allocFromTypedArray(bytes)
    // SQLite frees the bytes when the connection closes, and also if this call fails.
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY
    const code = capi.sqlite3_deserialize(source.pointer, 'main', address, bytes.length, bytes.length, flags)
    if (code !== 0) throw new Error(`SQLite answered ${code}`)
    copyDatabase(source, target, (problem) => new Error(problem))
  } catch (error) {
    throw typedMemoryError(sqlite3, error)
  } finally {
    source.close()
  }
}
