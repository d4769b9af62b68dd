/** Encrypts or decrypts a closed store in a browser. */
import type { Conversion } from '../../src/protocol/engine-host.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import { findKind } from '../storage/choose-storage.ts'
import { readLocation } from '../storage/common/storage-location.ts'
import { durableKinds, moveStore } from '../storage/move-store.ts'
import { loadLock } from './load-lock.ts'
import { whileClosed } from './while-closed.ts'

/** Resolves to whether it changed anything. Rejects with STORE_BUSY, and as `changeLock` does. */
export function convertStore(conversion: Conversion): Promise<boolean> {
  const { name, sqliteWasm } = conversion
  return whileClosed(name, async () => {
    const from = (await readLocation(name)).kind ?? (await findKind(name))
    const ciphers = await loadLock()
    const sqlite3 = initSqlite({ wasmUrl: sqliteWasm })
    return ciphers.changeLock(ciphers, conversion, from, {
      open: (kind, lock) => durableKinds[kind](sqlite3, name, { mustExist: true, lock }),
      move: (kind, to, lock, newLock) => moveStore(sqlite3, name, kind, to, lock, newLock),
    })
  })
}
