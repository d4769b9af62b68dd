/** Encrypts a store that was made without a lock, and decrypts one again, while it is closed. */
import { recallError } from '../core/model/errors.ts'
import type { LockSecret } from '../core/model/lock.ts'
import { absoluteHref } from '../protocol/absolute-url.ts'
import { protocolVersion } from '../protocol/handshake.ts'
import type { Assets } from './api/open-options.ts'
import { checkClosedOptions, workOnClosed } from './closed-store.ts'

export interface ConvertStoreOptions {
  /** What opens the store from then on; of a store that is decrypted: a lock that it has. */
  readonly lock: LockSecret
  /** As in `OpenOptions.assets`. */
  readonly assets?: Pick<Assets, 'worker' | 'sqliteWasm'> | undefined
  /** Clock, for the time at which the lock is added: ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

export interface ConvertedStore {
  /** False: it was in this form already. */
  readonly changed: boolean
}

/**
 * Encrypts a closed store, so that it opens only with this lock; `keys.add` then adds more. Its pages are written again with a new key and
 * compared with the old ones, whose bytes are overwritten then; not what the browser and the disk keep of deleted IndexedDB values and of
 * flash memory. A kill leaves the store as it was or encrypted; call it again. In Node the name is the absolute path of a file. In browsers
 * the store goes to the other kind of storage (OPFS or IndexedDB); the next opening with `storage: 'auto'` moves it to OPFS. Resolves with
 * `changed: false` if the store was encrypted already and the lock opens it. Rejects with `WRONG_KEY` if the lock does not, `STORE_BUSY` while
 * the store is open, `INVALID_ARGUMENT` for a store that does not exist, `INVALID_CONFIG` for a wrong lock or name, `QUOTA_EXCEEDED` without
 * space for a copy or beyond 1 GiB, `STORAGE_UNAVAILABLE` where there is only one kind of storage, or `DEADLINE_EXCEEDED` after 10 minutes:
 * export such a store, and import it into a new one with a lock.
 */
export function encryptStore(name: string, options: ConvertStoreOptions): Promise<ConvertedStore> {
  return convert(name, options, true)
}

/**
 * Decrypts a closed store, so that it opens without a lock, with the steps and errors of `encryptStore`. Its locks are thrown away. Resolves
 * with `changed: false` if it was not encrypted.
 */
export function decryptStore(name: string, options: ConvertStoreOptions): Promise<ConvertedStore> {
  return convert(name, options, false)
}

async function convert(name: string, options: ConvertStoreOptions, encrypts: boolean): Promise<ConvertedStore> {
  checkClosedOptions(options, ['lock', 'assets', 'now'])
  const { lock, assets = {}, now = Date.now } = options
  const given = await (await import('./link/check-lock.ts')).giveLock(lock)
  const work = { name, lock: { ...given, addedMs: Math.trunc(now()) }, encrypts }
  return workOnClosed(name, assets, {
    title: encrypts ? 'Encrypting the store' : 'Decrypting the store',
    deadlineMs: 600_000,
    inFile: async ({ convertFile }) => ({ changed: await convertFile(work) }),
    withoutFile() {
      throw recallError('INVALID_ARGUMENT', 'must be the absolute path of a file in Node', {
        field: 'name',
        value: name,
        hint: 'stores({ folder }) lists the files of stores.',
      })
    },
    inWorker: (host) =>
      host.convert({
        ...work,
        version: protocolVersion,
        sqliteWasm: assets.sqliteWasm && absoluteHref(assets.sqliteWasm),
      }),
  })
}
