/** The last fallback: a database in memory. All functions work, nothing is kept, and `degraded` says so. */

import {
  applyPragmas,
  cacheSizePragma,
  hardenedPragmas,
  noSpillPragma,
  type Pragma,
  pageSizePragma,
} from '../sqlite/pragmas.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { openSnapshot } from './common/open-snapshot.ts'
import type { StorageKind } from './common/port.ts'

let count = 0

const memoryPragmas: readonly Pragma[] = [
  pageSizePragma,
  { name: 'journal_mode', set: 'MEMORY', reads: 'memory' },
  // No other connection writes, so the cached pages need no check before each statement.
  { name: 'locking_mode', set: 'EXCLUSIVE', reads: 'exclusive' },
  cacheSizePragma,
  noSpillPragma,
  ...hardenedPragmas,
]

/** Opens an empty store that ends with its thread. Works on every platform. */
export const openMemory: StorageKind = async (sqlite3) => {
  const loaded = await sqlite3
  // A unique name allows a second connection.
  const filename = `file:/memory-${++count}?vfs=memdb`
  const database = openSqliteDatabase(loaded, { filename })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    database.close()
  }
  applyPragmas(database, memoryPragmas)
  return {
    kind: 'memory',
    durability: 'memory',
    database,
    degraded: ['Nothing is kept: the store lives in memory and ends with this session.'],
    openReader: () => openSnapshot(loaded, { filename }),
    // Without a journal, nothing contains deleted content.
    checkpoint: () => undefined,
    usage: async () => ({ persisted: null, quotaBytes: null, usageBytes: null }),
    close,
    destroy: close,
  }
}
