/** Deletes a store by its name without opening it, so that damaged and missing stores can be deleted, too. */
import { protocolVersion } from '../protocol/handshake.ts'
import type { Assets } from './api/open-options.ts'
import { checkClosedOptions, workOnClosed } from './closed-store.ts'

export interface DestroyStoreOptions {
  /** As in `OpenOptions.assets`. */
  readonly assets?: Pick<Assets, 'worker'> | undefined
}

export interface DestroyedStore {
  /** False: this device had no store with this name. */
  readonly deleted: boolean
}

/**
 * Deletes a store from this device, also one that cannot be read: use this to start again after `DATA_MISSING` or `STORE_CORRUPT`. In Node the
 * name is the absolute path of a file, as `stores` gives it. Resolves with `deleted: false` if this device has no store with this name.
 * Rejects with `STORE_BUSY` if the store is open in any tab or process, `INVALID_CONFIG` for an invalid name, `STORAGE_UNAVAILABLE`,
 * `DEADLINE_EXCEEDED` after 60 s, or `VERSION_SKEW`.
 */
export async function destroyStore(name: string, options: DestroyStoreOptions = {}): Promise<DestroyedStore> {
  checkClosedOptions(options, ['assets'])
  const { assets = {} } = options
  return workOnClosed(name, assets, {
    title: 'Deleting the store',
    // Another worker may keep the files open for a while.
    deadlineMs: 60_000,
    inFile: async ({ destroyFile }, path) => ({ deleted: await destroyFile(path) }),
    withoutFile: () => ({ deleted: false }),
    inWorker: (host) => host.remove({ version: protocolVersion, name }),
  })
}
