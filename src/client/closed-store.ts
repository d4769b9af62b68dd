/** Work on a closed store of this device, which needs no engine: in a worker of its own, or in Node on the file. */
import { wrap } from 'comlink'
import { recallError } from '../core/model/errors.ts'
import type { Conversion, EngineHost } from '../protocol/engine-host.ts'
import { type Reply, unwrap } from '../protocol/envelope.ts'
import type { Assets } from './api/open-options.ts'
import { findPlatform } from './find-platform.ts'
import { checkName } from './link/check-name.ts'
import { notStarted } from './link/not-started.ts'
import type { StartWorker } from './link/start-refused.ts'
import { isOpenHere } from './share-engine.ts'
import { startEngine } from './spawn-worker.ts'

/** What is done with the bytes of a closed store. */
export interface StoreWork<Answer> {
  /** As in a message: `Deleting the store`. */
  readonly title: string
  readonly deadlineMs: number
  /** In Node: `path` is absolute. */
  inFile(node: NodeFiles, path: string): Promise<Answer>
  /** In Node, for a name that is not a path. */
  withoutFile(): Answer
  inWorker(host: Pick<EngineHost, 'remove' | 'convert'>): Promise<Reply<Answer>>
}

interface NodeFiles {
  destroyFile(path: string): Promise<boolean>
  convertFile(conversion: Conversion): Promise<boolean>
}

/** Throws INVALID_CONFIG unless the options are an object with known names, `assets` an object, and `now` a function. */
export function checkClosedOptions(options: unknown, known: readonly string[]): void {
  const wrong = (field: string, value: unknown, problem: string, hint: string) =>
    recallError('INVALID_CONFIG', problem, { field, value, hint })
  const names = known.join(', ')
  if (typeof options !== 'object' || options === null)
    throw wrong('options', options, 'must be an object', `Give an object with ${names}.`)
  for (const [name, value] of Object.entries(options)) {
    // A lock is checked elsewhere, and no message holds it.
    if (!known.includes(name)) throw wrong(name, undefined, 'must be a known option', `Use one of ${names}.`)
    if (value === undefined) continue
    if (name === 'assets' && (typeof value !== 'object' || value === null))
      throw wrong(name, value, 'must be an object', 'Give URLs of files of the package, or leave it out.')
    if (name === 'now' && typeof value !== 'function')
      throw wrong(name, value, 'must be a function', 'Give a function that returns milliseconds since the epoch.')
  }
}

/** Rejects with INVALID_CONFIG, STORE_BUSY, STORAGE_UNAVAILABLE or DEADLINE_EXCEEDED, and as the work does. */
export async function workOnClosed<Answer>(
  name: string,
  assets: Pick<Assets, 'worker'>,
  work: StoreWork<Answer>,
): Promise<Answer> {
  const { isNode, hasWorkers } = findPlatform()
  const isFile = isNode && isAbsolute(name)
  if (!isFile) checkName(name)
  if (isOpenHere(name)) {
    throw recallError('STORE_BUSY', 'must name a closed store, but this page has it open', {
      field: 'name',
      value: name,
      hint: 'First call close() of each store with this name, or destroy() of one of them to delete it.',
    })
  }
  // oxlint-disable-next-line no-restricted-imports -- package.json gives Node worker/inline.ts under this name, browsers no-inline.ts.
  if (isFile) return work.inFile(await import('#inline'), name)
  if (isNode) return work.withoutFile()
  if (!hasWorkers) {
    throw recallError('STORAGE_UNAVAILABLE', 'This context has no Web Workers', {
      hint: 'Call it in a page, an offscreen document or a side panel.',
    })
  }
  const ask = (start?: StartWorker) => askWorker(startEngine(assets.worker, start), work)
  try {
    return await ask()
  } catch (error) {
    const { openRefused } = await import('./failures.ts').catch(() => Promise.reject(error))
    return openRefused(error, assets, ask)
  }
}

/** Whether the name is the path of a file from the root. */
function isAbsolute(name: unknown): name is string {
  return typeof name === 'string' && /^(?:\/|[a-z]:[\\/])/i.test(name) && !name.includes('\0')
}

async function askWorker<Answer>(worker: Worker, { inWorker, deadlineMs, title }: StoreWork<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      reject(notStarted(event.message || 'it could not be loaded'))
    })
    timer = setTimeout(() => reject(tooLate(title, deadlineMs)), deadlineMs)
  })
  try {
    return unwrap(await Promise.race([inWorker(wrap<EngineHost>(worker)), failed]))
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}

function tooLate(title: string, deadlineMs: number) {
  return recallError('DEADLINE_EXCEEDED', `${title} took longer than ${deadlineMs} ms`, {
    hint: 'Close other tabs, then try again.',
  })
}
