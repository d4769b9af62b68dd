/** Encrypts or decrypts the file of a closed store: a copy is written next to it, compared with it, and takes its name. */
import { chmodSync, renameSync, statSync } from 'node:fs'
import { recallError } from '../../src/core/model/errors.ts'
import type { Conversion } from '../../src/protocol/engine-host.ts'
import { loadLock } from '../engine/load-lock.ts'
import { copyDatabase } from '../sqlite/copy-database.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import { copyWithRoom, notCopied, verifyCopy } from '../storage/copied-store.ts'
import type { Disk, DiskFile } from '../storage/file/disk.ts'
import { explainFailure } from '../storage/file/file.ts'
import { readKeyArea } from '../storage/file/key-area.ts'
import { createUnlocker, type Unlocker } from '../storage/file/unlock-file.ts'
import { locateFile } from './locate-file.ts'
import { nodeDisk } from './node-disk.ts'
import { openNodeFile } from './open-node-file.ts'
import { ownFile } from './own-file.ts'
import { copyOf, removeCopy } from './unfinished-copy.ts'

/** Resolves to whether it changed anything. Rejects with STORE_BUSY, WRONG_KEY, INVALID_ARGUMENT or QUOTA_EXCEEDED, and as `openNodeFile` does. */
export async function convertFile({ name, lock, encrypts }: Conversion): Promise<boolean> {
  const path = locateFile(name)
  const owned = await ownFile(path, 'name')
  const keyring = (await loadLock()).createKeyring(lock, path)
  try {
    const area = readKeyArea(nodeDisk, path)
    if (area === 'empty') throw noStore(path)
    const [locked, open] = [keyring, undefined].map((given) => createUnlocker(nodeDisk, path, given)) as [
      Unlocker,
      Unlocker,
    ]
    if ((area !== null) === encrypts) {
      if (encrypts) await locked.check()
      return false
    }
    const ofCopy = createUnlocker(nodeDisk, copyOf(path), encrypts ? keyring : undefined)
    await replace(path, encrypts ? open : locked, ofCopy)
    return true
  } finally {
    keyring.wipe()
    await owned.release()
  }
}

async function replace(path: string, ofFile: Unlocker, ofCopy: Unlocker): Promise<void> {
  const sqlite3 = initSqlite({})
  const copy = copyOf(path)
  const source = await openNodeFile(sqlite3, path, ofFile)
  const old = [path, `${path}-wal`].filter(nodeDisk.exists).map((name) => nodeDisk.open(name, false))
  try {
    const pages = source.keys === undefined ? await copyWithRoom(sqlite3, source.database) : source
    await withClosed(pages, async ({ database }) => {
      const disk = watched(nodeDisk)
      await withClosed(await openNodeFile(sqlite3, copy, ofCopy, disk), async (target) => {
        copyDatabase(database, target.database, (problem) => (disk.failure ?? notCopied(problem)) as Error)
        await target.checkpoint()
      })
      // Opened again, so that the comparison reads what is on disk.
      await withClosed(await openNodeFile(sqlite3, copy, ofCopy), async (target) =>
        verifyCopy(database, target.database),
      )
    })
    await source.close()
    takePlace(copy, path)
    for (const file of old) overwrite(file)
  } catch (error) {
    await source.close()
    removeCopy(path)
    throw explainFailure(error)
  } finally {
    for (const file of old) file.close()
  }
}

/** A disk that keeps the error of its last failed write: SQLite reports a code. */
function watched(disk: Disk): Disk & { readonly failure: unknown } {
  let failure: unknown
  return {
    ...disk,
    get failure() {
      return failure
    },
    open(path, create) {
      const file = disk.open(path, create)
      const write: DiskFile['write'] = (source, offset) => {
        try {
          file.write(source, offset)
        } catch (error) {
          failure = error
          throw error
        }
      }
      return { ...file, write }
    },
  }
}

async function withClosed(storage: OpenStorage, work: (storage: OpenStorage) => Promise<void>): Promise<void> {
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}

/** A power loss leaves one of both files under the name. */
function takePlace(copy: string, path: string): void {
  chmodSync(copy, statSync(path).mode)
  renameSync(copy, path)
  nodeDisk.syncFolder(path)
}

/** The disk may have written it elsewhere before: that cannot be reached. */
function overwrite(file: DiskFile): void {
  const zeros = new Uint8Array(1 << 20)
  const size = file.size()
  for (let at = 0; at < size; at += zeros.length) file.write(zeros.subarray(0, size - at), at)
  file.sync()
}

function noStore(path: string) {
  return recallError('INVALID_ARGUMENT', 'must name a store of this device', {
    field: 'name',
    value: path,
    hint: 'stores({ folder }) lists them. A new store is locked by the option lock of openRecall.',
  })
}
