/** Opens the storage of a store in a file of this process. */
import { dirname } from 'node:path'
import type { LoadingSqlite, OpenStorage } from '../storage/common/port.ts'
import { checkHeader } from '../storage/file/check-header.ts'
import { explainFailure, openFile } from '../storage/file/file.ts'
import { syncRiskOf } from './file-systems.ts'
import { nodeDisk } from './node-disk.ts'

/** `path` comes from `locateFile`. Rejects as `checkHeader` and `openFile` do. */
export async function openNodeFile(sqlite3: LoadingSqlite, path: string): Promise<OpenStorage> {
  try {
    checkHeader(nodeDisk, path)
  } catch (error) {
    throw explainFailure(error)
  }
  const risk = syncRiskOf(dirname(path))
  return openFile(sqlite3, nodeDisk, path, { degraded: risk === null ? [] : [risk] })
}
