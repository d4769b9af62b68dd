/** Copies a whole database into another connection. */
import { isMemoryCode, memoryError } from './errors.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/** SQLite's backup API: all pages in one transaction of the target. Throws QUOTA_EXCEEDED without memory, else what `failed` returns. */
export function copyDatabase(
  { sqlite3: { capi }, pointer }: Pick<SqliteDatabase, 'sqlite3' | 'pointer'>,
  target: Pick<SqliteDatabase, 'pointer'>,
  failed: (problem: string) => Error,
): void {
  const backup = capi.sqlite3_backup_init(target.pointer as never, 'main', pointer as never, 'main')
  if (!backup) throw failed(capi.sqlite3_errmsg(target.pointer as never))
  const step = capi.sqlite3_backup_step(backup, -1)
  const finish = capi.sqlite3_backup_finish(backup)
  if (isMemoryCode(step) || isMemoryCode(finish)) throw memoryError('the database cannot be copied')
  if (step !== capi.SQLITE_DONE || finish !== 0) throw failed(`code ${step}, ${finish}`)
}
