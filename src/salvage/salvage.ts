/** The page's side of a salvage: options, a worker that lives until `close`, the export part by part. */
import { wrap } from 'comlink'
import { notStarted } from '../client/link/not-started.ts'
import type { StartWorker } from '../client/link/start-refused.ts'
import { type RecallError, recallError } from '../core/model/errors.ts'
import { absoluteHref } from '../protocol/absolute-url.ts'
import { type Reply, unwrap } from '../protocol/envelope.ts'
import { protocolVersion } from '../protocol/handshake.ts'
import type { PageWorker } from '../protocol/platform-types.ts'
import type { SalvageHost, SalvageReceipt } from '../protocol/salvage.ts'

export interface SalvageOptions {
  /** The store's name. Default `default`. */
  readonly name?: string | undefined
  /** Where it lives. Default `auto`: where it was noted, or found. */
  readonly storage?: 'auto' | 'opfs' | 'indexeddb' | undefined
  /** For bundlers and content security policies that need a hand. Default: files beside this module. */
  readonly assets?: SalvageAssets | undefined
}

export interface SalvageAssets {
  /** Where `dist/worker/salvage.js` is served, or a function that starts it as a module. */
  readonly worker?: URL | (() => PageWorker) | undefined
  readonly sqliteWasm?: URL | undefined
}

/** What came out, counted, and a way to get it. It holds the store until it is closed: nobody else opens it meanwhile. */
export interface Salvaged extends SalvageReceipt {
  /** What came out as an ordinary export, for `importFrom` of a new store. May be asked for again; one at a time. */
  exportTo(): AsyncIterable<Uint8Array<ArrayBuffer>>
  /** Lets go of the store, which is as it was, to the bit. */
  close(): void
}

/**
 * Reads what is left of a store that `openRecall` refuses with `STORE_CORRUPT`: record by record, each with its tags, links, learned state
 * and vectors as far as they can be read; of a store that is whole, all of it. A record comes out only with the text that its
 * content hash names, and without its reasons or risks none does. The store itself is never changed: it can be tried again.
 * Rejects with `DATA_MISSING` (no such store), `STORE_BUSY` (open somewhere, for 5 s), `STORE_CORRUPT` (nothing can be salvaged),
 * `STORE_NEWER`, `STORAGE_UNAVAILABLE` (in Node, too: nothing is kept there), `INVALID_CONFIG` or `VERSION_SKEW`.
 */
export async function salvage(options: SalvageOptions = {}): Promise<Salvaged> {
  const wish = checked(options)
  const open = (start?: StartWorker) => openSalvage(wish, start)
  try {
    return await open()
  } catch (error) {
    const { openRefused } = await import('../client/link/start-refused.ts').catch(() => Promise.reject(error))
    return openRefused(error, wish.assets ?? {}, open, salvageWorker)
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
  // Told by whoever asks next.
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
    const receipt = await ask(host.open(request) as Promise<Reply<SalvageReceipt>>)
    return {
      ...receipt,
      close,
      async *exportTo() {
        for (let number = 0; ; number++) {
          if (isClosed) throw recallError('CLOSED', 'The salvage is closed', { hint: 'Call salvage again.' })
          const part = await ask(host.part(number) as Promise<Reply<Uint8Array<ArrayBuffer> | null>>)
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

function startWith(start: StartWorker, given: URL | (() => Worker) | undefined): Worker {
  if (typeof Worker !== 'function') {
    throw recallError('STORAGE_UNAVAILABLE', 'Only browsers keep stores, and this is not a browser', {
      hint: 'Call salvage in a page of the origin that made the store.',
    })
  }
  if (typeof given === 'function') return given()
  if (given instanceof URL) return start(() => new Worker(given, { type: 'module' }))
  return start(() => new Worker(new URL('../../worker/salvage.js', import.meta.url), { type: 'module' }))
}

const salvageWorker = 'the worker of salvage'

function checked(options: SalvageOptions) {
  const { name = 'default', storage = 'auto', assets } = options
  if (typeof name !== 'string' || name.trim() === '')
    throw invalid('name', name, 'must be a name', 'Give the name of the store.')
  if (!kinds.includes(storage))
    throw invalid('storage', storage, `must be one of ${kinds.join(', ')}`, 'Use one of these names.')
  return { name, storage, assets }
}

const kinds: readonly string[] = ['auto', 'opfs', 'indexeddb']

function invalid(field: string, value: unknown, problem: string, hint: string): RecallError {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
