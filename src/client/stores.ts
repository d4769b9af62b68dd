/** Lists the stores of this device without opening one, so that damaged and missing stores are listed, too. */
import { recallError } from '../core/model/errors.ts'
import type { StoredStore } from '../protocol/stored-store.ts'
import { findPlatform } from './find-platform.ts'
import { listHere } from './listing/list-here.ts'

export interface StoresOptions {
  /** The folder whose files are listed, without those in folders inside it (Node only). Default: the working directory. */
  readonly folder?: string | undefined
}

/**
 * Lists the stores of this origin, or in Node those in the files of a folder, ordered by name, also open, damaged or missing ones. Opens no
 * store and starts no engine. Stores in memory are not listed. Rejects with `INVALID_CONFIG` for a wrong folder, or with `STORAGE_UNAVAILABLE`
 * if the browser cannot read its own storage.
 */
export async function stores(options: StoresOptions = {}): Promise<readonly StoredStore[]> {
  checkOptions(options)
  const { folder } = options
  if (!findPlatform().isNode) {
    if (folder === undefined) return listHere()
    throw invalid('folder', folder, 'must be absent, because only Node keeps stores in files', 'Leave it out.')
  }
  // oxlint-disable-next-line no-restricted-imports -- package.json gives Node worker/inline.ts under this name, browsers no-inline.ts.
  const { listFiles } = await import('#inline')
  return listFiles(folder ?? '.')
}

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', options, 'must be an object', 'Give { folder: "data" }, or nothing.')
  for (const [key, value] of Object.entries(options)) {
    if (key !== 'folder') throw invalid(key, value, 'must be a known option', 'Use folder.')
    if (value !== undefined && (typeof value !== 'string' || value === '' || value.includes('\0')))
      throw invalid(key, value, 'must be the path of a folder, as text', 'Give a path, for example "data".')
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
