/** The places for a store, over disks whose n-th call fails: OPFS, a file of a server, and the page log over a byte store. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { recallError } from '../../../src/core/model/errors.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openStorage } from '../../../worker/storage/choose-storage.ts'
import { reclaimPages } from '../../../worker/storage/common/incremental-vacuum.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openFile } from '../../../worker/storage/file/file.ts'
import type { ByteStore, Bytes } from '../../../worker/storage/common/byte-store.ts'
import { openOpfs } from '../../../worker/storage/opfs/opfs.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'
import { useDisk } from '../node-opfs/install.ts'
import { createFakeOpfs, type FakeOpfs, type Fault } from '../t3/fake-opfs.ts'

export interface SickDisk extends Pick<FakeOpfs, 'armFault' | 'disarmFault' | 'calls' | 'kill' | 'wipe'> {
  open(): Promise<OpenStorage>
  copy(): SickDisk
}

const name = 't4'

export function opfsDisk(sqlite3: Sqlite3Static, disk: FakeOpfs = createFakeOpfs()): SickDisk {
  return {
    ...disk,
    open: async () => {
      useDisk(disk)
      const storage = await openStorage(sqlite3, { name, storage: 'opfs' })
      // These stores are small: faults should hit slices, too.
      return {
        ...storage,
        reclaimPages: () => reclaimPages(storage.database, { freeShare: 0, freePages: 0, slicePages: 4 }),
      }
    },
    copy: () => opfsDisk(sqlite3, disk.copy()),
  }
}

/** A file of a server, over the same disk. */
export function fileDisk(sqlite3: Sqlite3Static, disk: FakeOpfs = createFakeOpfs()): SickDisk {
  return {
    ...disk,
    open: async () => openFile(sqlite3, disk.files(), `${name}.sqlite`),
    copy: () => fileDisk(sqlite3, disk.copy()),
  }
}

/** A disk with the store of an older version on it. */
export async function opfsDiskWith(
  sqlite3: Sqlite3Static,
  source: SqliteDatabase,
  disk: FakeOpfs = createFakeOpfs(),
): Promise<SickDisk> {
  useDisk(disk)
  const fill = ({ pointer }: SqliteDatabase) => backUp(sqlite3, source.pointer, pointer)
  await (await openOpfs(sqlite3, name, { fill })).close()
  disk.kill()
  return opfsDisk(sqlite3, disk)
}

function backUp({ capi }: Sqlite3Static, from: number, to: number): void {
  const backup = capi.sqlite3_backup_init(to as never, 'main', from as never, 'main')
  if (!backup || capi.sqlite3_backup_step(backup, -1) !== capi.SQLITE_DONE || capi.sqlite3_backup_finish(backup) !== 0)
    throw new Error(`the old store could not be copied: ${capi.sqlite3_errmsg(to as never)}`)
}

/** Generations are rewritten every few commits, so that faults hit them. */
export function pagedDisk(values: ReadonlyMap<string, Bytes> = new Map()): SickDisk {
  const kept = new Map(values)
  let calls = 0
  let faultAt = Number.POSITIVE_INFINITY
  let fault: Fault = { isForever: false, name: null }
  /** Stores of a killed process can no longer write. */
  let epoch = 0
  const storeOf = (born: number): ByteStore => {
    const works = (): boolean => {
      if (born !== epoch) throw recallError('STORE_BUSY', 'another owner has the store, says the test')
      calls += 1
      if (calls < faultAt || (calls > faultAt && !fault.isForever)) return true
      if (fault.name === null) return false
      const code = fault.name === 'QuotaExceededError' ? 'QUOTA_EXCEEDED' : 'STORAGE_UNAVAILABLE'
      throw recallError(code, 'the disk failed, says the test')
    }
    return {
      keys: async () => (works() ? [...kept.keys()] : []),
      read: async (keys) => (works() ? keys.map((key) => kept.get(key)?.slice()) : keys.map(() => undefined)),
      async write(puts, removes) {
        if (!works()) return
        for (const [key, value] of puts) kept.set(key, value.slice())
        for (const key of removes) kept.delete(key)
      },
    }
  }
  return {
    open: () => openPaged(storeOf(epoch), shortLimits),
    copy: () => pagedDisk(kept),
    armFault: (nth, how) => {
      calls = 0
      faultAt = nth
      fault = how
    },
    disarmFault: () => {
      faultAt = Number.POSITIVE_INFINITY
    },
    calls: () => calls,
    kill: () => {
      epoch += 1
    },
    wipe: () => kept.clear(),
  }
}
