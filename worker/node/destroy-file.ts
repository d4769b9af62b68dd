/** Deletes the store in a file without opening it, so that a damaged one, or what is left of a missing one, can be deleted, too. */
import { dirname } from 'node:path'
import { eraseKeyArea } from '../storage/file/key-area.ts'
import { removeStore } from '../storage/file/file.ts'
import { listFiles } from './list-files.ts'
import { locateFile } from './locate-file.ts'
import { nodeDisk } from './node-disk.ts'
import { ownFile } from './own-file.ts'

/** False: there is no store in this file, and nothing was deleted. Rejects as `ownFile`, `locateFile` and `listFiles` do. */
export async function destroyFile(given: string): Promise<boolean> {
  const path = locateFile(given)
  if (!listFiles(dirname(path)).some(({ name }) => name === path)) return false
  const owned = await ownFile(path, 'name')
  try {
    removeStore({ ...nodeDisk, forgetKeys: () => eraseKeyArea(nodeDisk, path) }, path)
  } finally {
    await owned.release()
  }
  return true
}
