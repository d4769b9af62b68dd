/** Starts the worker of a salvage, checks the options and passes on the export part by part. */
import { wrap } from 'comlink'
import { findPlatform } from '../client/find-platform.ts'
import { notStarted } from '../client/link/not-started.ts'
import type { StartWorker } from '../client/link/start-refused.ts'
import { type RecallError, recallError } from '../core/model/errors.ts'
import { absoluteHref } from '../protocol/absolute-url.ts'
import { type Reply, unwrap } from '../protocol/envelope.ts'
import { protocolVersion } from '../protocol/handshake.ts'
import type { PageWorker } from '../protocol/platform-types.ts'
import type { SalvageHost, SalvageReceipt } from '../protocol/salvage.ts'

export interface SalvageOptions {
  /** Path of the store's file, in Node only. Instead of `name` and `storage`. */
  readonly path?: string | undefined
  /** Name of the store. Default `default`. */
  readonly name?: string | undefined
  /** Storage kind of the store. `auto` (default) uses the stored note of its kind, or else searches both. */
  readonly storage?: 'auto' | 'opfs' | 'indexeddb' | undefined
  /** `worker` (`dist/worker/salvage.js`) and `sqliteWasm`: URLs of the package's files, for bundlers and content security policies that need them. */
  readonly assets?: SalvageAssets | undefined
}

export interface SalvageAssets {
  /** URL of `dist/worker/salvage.js`, or a function that starts it as a module worker. */
  readonly worker?: URL | (() => PageWorker) | undefined
  /** URL of sqlite3.wasm. */
  readonly sqliteWasm?: URL | undefined
}

/** Result of a salvage: counts, and the export. The store cannot be opened elsewhere until `close` is called. */
export interface Salvaged extends SalvageReceipt {
  /** Returns the salvaged records as an export for `importFrom` of a new store. Only one reader at a time. */
  exportTo(): AsyncIterable<Uint8Array<ArrayBuffer>>
  /** Releases the store, none of whose bytes has changed. */
  close(): void
}

/**
 * Reads the records of a store that `openRecall` rejects with `STORE_CORRUPT`, with tags, links, learned state and vectors as far as they can
 * be read. A record is exported only if its text matches its content hash and its reasons and risks can be read. The store itself is never
 * changed, so a salvage can be repeated. Rejects with `DATA_MISSING` (no store with this name), `STORE_BUSY` (still open elsewhere after 5 s),
 * `STORE_CORRUPT` (nothing can be salvaged), `STORE_NEWER`, `STORAGE_UNAVAILABLE` (also in Node without `path`), `INVALID_CONFIG` or
 * `VERSION_SKEW`.
 */
export async function salvage(options: SalvageOptions = {}): Promise<Salvaged> {
  const request = checked(options)
  if (request.path !== undefined) return salvageInNode(request.path, request.assets)
  const open = (start?: StartWorker) => openSalvage(request, start)
  try {
    return await open()
  } catch (error) {
    const { openRefused } = await import('../client/failures.ts').catch(() => Promise.reject(error))
    return openRefused(error, request.assets ?? {}, open, salvageWorker)
  }
}

async function openSalvage(
  { name, storage, assets }: ReturnType<typeof checked>,
  start: StartWorker = (make) => make(),
): Promise<Salvaged> {
  const worker = startWith(start, assets?.worker)
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      reject(notStarted(event.message || 'it could not be loaded', salvageWorker))
    })
    worker.addEventListener('messageerror', () => reject(notStarted('a message could not be read', salvageWorker)))
  })
  // Each call reports it; without a call it must not be an unhandled rejection.
  failed.catch(() => undefined)
  let isClosed = false
  const host = wrap<SalvageHost>(worker)
  const ask = async <T>(reply: Promise<Reply<T>>): Promise<T> => unwrap(await Promise.race([reply, failed]))
  const close = () => {
    isClosed = true
    worker.terminate()
  }
  try {
    const request = {
      version: protocolVersion,
      name,
      storage,
      sqliteWasm: assets?.sqliteWasm && absoluteHref(assets.sqliteWasm),
    }
    const receipt = await ask(host.open(request))
    return {
      ...receipt,
      close,
      async *exportTo() {
        for (let number = 0; ; number++) {
          if (isClosed) throw recallError('CLOSED', 'The salvage is closed', { hint: 'Call salvage again.' })
          const part = await ask(host.part(number))
          if (part === null) return
          yield part
        }
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

async function salvageInNode(path: string, assets: SalvageAssets | undefined): Promise<Salvaged> {
  if (!findPlatform().isNode)
    throw invalid('path', path, 'must be absent, because only Node keeps a store in a file', 'Give a name.')
  const { salvageFile } = await import('#inline')
  const { receipt, exportParts, close } = await salvageFile(path, assets?.sqliteWasm && absoluteHref(assets.sqliteWasm))
  let isClosed = false
  return {
    ...receipt,
    close() {
      if (!isClosed) close()
      isClosed = true
    },
    async *exportTo() {
      for (const part of exportParts()) {
        if (isClosed) throw recallError('CLOSED', 'The salvage is closed', { hint: 'Call salvage again.' })
        yield part
      }
    },
  }
}

function startWith(start: StartWorker, given: URL | (() => Worker) | undefined): Worker {
  if (typeof Worker !== 'function') {
    throw recallError('STORAGE_UNAVAILABLE', 'Only browsers keep stores by name, and this is not a browser', {
      hint: 'Call salvage in a page of the origin that made the store; in Node give the path of the store’s file.',
    })
  }
  if (typeof given === 'function') return given()
  if (given instanceof URL) return start(() => new Worker(given, { type: 'module' }))
  return start(() => new Worker(new URL('../../worker/salvage.js', import.meta.url), { type: 'module' }))
}

const salvageWorker = 'the worker of salvage'

function checked(options: SalvageOptions) {
  const { path, name = 'default', storage = 'auto', assets } = options
  if (path !== undefined) checkPath(path, options)
  if (typeof name !== 'string' || name.trim() === '')
    throw invalid('name', name, 'must be a string with a character that is not a space', 'Give the name of the store.')
  if (!kinds.includes(storage))
    throw invalid('storage', storage, `must be one of ${kinds.join(', ')}`, 'Use one of these names.')
  return { path, name, storage, assets }
}

function checkPath(path: unknown, { name, storage }: SalvageOptions): void {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalid('path', path, 'must be the path of a file, as text', 'Give a path, for example "memory.sqlite".')
  for (const [field, value] of Object.entries({ name, storage }))
    if (value !== undefined) throw invalid(field, value, 'must be absent where `path` is set', 'Leave it out.')
}

const kinds: readonly string[] = ['auto', 'opfs', 'indexeddb']

function invalid(field: string, value: unknown, problem: string, hint: string): RecallError {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
