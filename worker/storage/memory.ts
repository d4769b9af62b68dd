/** The last rung: a database in memory. Everything works, nothing is kept, and `degraded` says so. */

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
  // Nobody else writes: the pages in memory need not be looked after with each statement.
  { name: 'locking_mode', set: 'EXCLUSIVE', reads: 'exclusive' },
  cacheSizePragma,
  noSpillPragma,
  ...hardenedPragmas,
]

/** Opens an empty store that ends with its thread. Never rejects for want of a platform. */
export const openMemory: StorageKind = async (sqlite3) => {
  const loaded = await sqlite3
  // By a name of its own, so that a second connection can be opened to it.
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
    // There is no journal that could remember what was deleted.
    checkpoint: () => undefined,
    usage: async () => ({ persisted: null, quotaBytes: null, usageBytes: null }),
    close,
    destroy: close,
  }
}
