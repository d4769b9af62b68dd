/** Deletes the store in a file without opening it, so that a damaged one, or what is left of a missing one, can be deleted, too. */
import { dirname } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'
import { removeStore } from '../storage/file/file.ts'
import { contend } from './fence.ts'
import { listFiles } from './list-files.ts'
import { locateFile } from './locate-file.ts'
import { nodeDisk } from './node-disk.ts'

/** ms that a process which has the file open may take to answer. */
const patienceMs = 10_000

/** False: there is no store in this file, and nothing was deleted. Rejects with STORE_BUSY while a process has it open, or as `locateFile` and `listFiles` do. */
export async function destroyFile(given: string): Promise<boolean> {
  const path = locateFile(given)
  if (!listFiles(dirname(path)).some(({ name }) => name === path)) return false
  const owned = await contend(path, AbortSignal.timeout(patienceMs)).catch((error: unknown) => {
    throw error instanceof DOMException ? busy(given) : error
  })
  if (owned.kind === 'followed') {
    void owned.owner.end()
    throw busy(given, owned.pid)
  }
  try {
    removeStore(nodeDisk, path)
  } finally {
    await owned.release()
  }
  return true
}

function busy(path: string, pid?: number) {
  const holder = pid === undefined ? 'another process has' : `process ${pid} has`
  return recallError('STORE_BUSY', `must name a closed store, but ${holder} it open`, {
    field: 'name',
    value: path,
    hint: 'First close it there, or call destroy() of the open store.',
  })
}
