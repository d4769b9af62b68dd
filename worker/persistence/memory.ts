/** The last rung: a database in memory. Everything works, nothing is kept, and `degraded` says so. */
import { openSqliteDatabase } from '../store/sqlite-database.ts'
import type { StorageKind } from './port.ts'
import { applyPragmas, hardenedPragmas, pageSizePragma } from './pragmas.ts'

/** Opens an empty store that ends with its thread. Never rejects for want of a platform. */
export const openMemory: StorageKind = async (sqlite3) => {
  const database = openSqliteDatabase(await sqlite3, { filename: ':memory:' })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    database.close()
  }
  applyPragmas(database, [pageSizePragma, ...hardenedPragmas])
  return {
    kind: 'memory',
    durability: 'memory',
    database,
    degraded: ['Nothing is kept: the store lives in memory and ends with this session.'],
    // There is no journal that could remember what was deleted.
    checkpoint: () => undefined,
    usage: async () => ({ persisted: null, quotaBytes: null, usageBytes: null }),
    close,
    destroy: close,
  }
}
