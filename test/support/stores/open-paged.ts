/** Opens storage like the IndexedDB kind, over any byte store: for Node, which lacks IndexedDB. */

import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import type { ByteStore } from '../../../worker/storage/common/byte-store.ts'
import type { LogLimits } from '../../../worker/storage/indexeddb/page-log.ts'
import { openPagedStorage } from '../../../worker/storage/indexeddb/paged-storage.ts'

/** So small that a few puts bring a new generation. */
export const shortLimits: LogLimits = { journalBytes: 300_000, journalShare: 0, journalBatches: 6, stepChunks: 4 }

let count = 0

/** Each opening has pages of its own, as after a crash: the one before need not be closed. */
export async function openPaged(bytes: ByteStore, limits?: LogLimits): Promise<OpenStorage> {
  const paged = await openPagedStorage(await initSqlite(), `/test-${++count}`, bytes, { limits })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await paged.close()
  }
  return {
    ...paged,
    kind: 'indexeddb',
    durability: 'committed',
    usage: async () => ({ persisted: null, quotaBytes: null, usageBytes: null }),
    close,
    destroy: async () => {
      await close()
      await bytes.write([], await bytes.keys())
    },
  }
}
