/** Deletes a store by its name without opening it, so that damaged and missing stores can be deleted, too. */
import { wrap } from 'comlink'
import { recallError } from '../core/model/errors.ts'
import type { EngineHost } from '../protocol/engine-host.ts'
import { type Reply, unwrap } from '../protocol/envelope.ts'
import { protocolVersion } from '../protocol/handshake.ts'
import type { Assets } from './api/open-options.ts'
import { findPlatform } from './find-platform.ts'
import { checkName } from './link/check-name.ts'
import { notStarted } from './link/not-started.ts'
import type { StartWorker } from './link/start-refused.ts'
import { isOpenHere } from './share-engine.ts'
import { startEngine } from './spawn-worker.ts'

export interface DestroyStoreOptions {
  /** As in `OpenOptions.assets`; only `worker` is used. Default: the files next to this module. */
  readonly assets?: Pick<Assets, 'worker'> | undefined
}

export interface DestroyedStore {
  /** False: this device had no store with this name. */
  readonly deleted: boolean
}

/**
 * Deletes a store from this device: its files in OPFS, its IndexedDB database and the note of its storage kind. The store need not be
 * readable: use this to start again after `DATA_MISSING` or `STORE_CORRUPT`. Other stores and the table of the built-in embedder are
 * kept. In Node the name is the absolute path of a file, as `stores` gives it: any other file stays. Resolves with `deleted: false` if
 * the store does not exist; a store in memory leaves nothing to delete. Rejects with
 * `STORE_BUSY` if the store is open in any tab or process, `INVALID_CONFIG` for an invalid name, `STORAGE_UNAVAILABLE`, `DEADLINE_EXCEEDED` after
 * 60 s, or `VERSION_SKEW`.
 */
export async function destroyStore(name: string, options: DestroyStoreOptions = {}): Promise<DestroyedStore> {
  const { isNode, hasWorkers } = findPlatform()
  const isFile = isNode && isAbsolute(name)
  if (!isFile) checkName(name)
  if (isOpenHere(name)) {
    throw recallError('STORE_BUSY', 'must name a closed store, but this page has it open', {
      field: 'name',
      value: name,
      hint: 'First call close() of each store with this name, or destroy() of one of them.',
    })
  }
  if (isFile) {
    // oxlint-disable-next-line no-restricted-imports -- package.json gives Node worker/inline.ts under this name, browsers no-inline.ts.
    const { destroyFile } = await import('#inline')
    return { deleted: await destroyFile(name) }
  }
  if (isNode) return { deleted: false }
  if (!hasWorkers) {
    throw recallError('STORAGE_UNAVAILABLE', 'This context has no Web Workers', {
      hint: 'Call destroyStore in a page, an offscreen document or a side panel.',
    })
  }
  const { assets = {} } = options
  const ask = (start?: StartWorker) => askWorker(startEngine(assets.worker, start), name)
  try {
    return await ask()
  } catch (error) {
    const { openRefused } = await import('./link/start-refused.ts').catch(() => Promise.reject(error))
    return openRefused(error, assets, ask)
  }
}

/** Whether the name is the path of a file from the root. */
function isAbsolute(name: unknown): name is string {
  return typeof name === 'string' && /^(?:\/|[a-z]:[\\/])/i.test(name) && !name.includes('\0')
}

async function askWorker(worker: Worker, name: string): Promise<DestroyedStore> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      reject(notStarted(event.message || 'it could not be loaded'))
    })
    timer = setTimeout(() => reject(tooLate()), removeMs)
  })
  try {
    const reply = wrap<EngineHost>(worker).remove({ version: protocolVersion, name }) as Promise<Reply<DestroyedStore>>
    return unwrap(await Promise.race([reply, failed]))
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}

/** Deadline (ms). Another worker may keep the files open for a while. */
const removeMs = 60_000

function tooLate() {
  return recallError('DEADLINE_EXCEEDED', `Deleting the store took longer than ${removeMs} ms`, {
    hint: 'Close other tabs, then try again.',
  })
}
