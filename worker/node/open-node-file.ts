/** Opens the storage of a store in a file of this process. */
import { dirname } from 'node:path'
import type { LoadingSqlite, OpenStorage } from '../storage/common/port.ts'
import { checkHeader } from '../storage/file/check-header.ts'
import type { Disk } from '../storage/file/disk.ts'
import { explainFailure, openFile } from '../storage/file/file.ts'
import { lockedDisk } from '../storage/file/locked-disk.ts'
import { syncRiskOf } from './file-systems.ts'
import { nodeDisk } from './node-disk.ts'
import { copyOf, removeCopy } from './unfinished-copy.ts'
import type { Unlocker } from '../storage/file/unlock-file.ts'

/** `path` comes from `locateFile`. Rejects as `checkHeader`, `openFile` and `createUnlocker` do. */
export async function openNodeFile(
  sqlite3: LoadingSqlite,
  path: string,
  unlocker: Unlocker,
  plainDisk: Disk = nodeDisk,
): Promise<OpenStorage> {
  const keys = await unlocker.open()
  const seal = keys?.seal
  const disk = seal === undefined ? plainDisk : lockedDisk(plainDisk, path, seal)
  try {
    if (nodeDisk.exists(copyOf(path))) removeCopy(path)
    checkHeader(disk, path)
  } catch (error) {
    throw explainFailure(error)
  }
  const risk = syncRiskOf(dirname(path))
  return openFile(sqlite3, disk, path, { degraded: risk === null ? [] : [risk], keys })
}
