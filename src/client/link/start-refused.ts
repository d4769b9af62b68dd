/**
 * Loaded when a worker did not start: the page may refuse the plain way and allow another. Files of another origin start
 * through a blob, and Trusted Types through a policy of our own.
 */
import { addHint, RecallError } from '../../core/model/errors.ts'
import { notStarted } from './not-started.ts'

/** Makes a worker from what makes it plainly. */
export type StartWorker = (make: () => Worker) => Worker

/**
 * `open` once more by the other way, after it failed with `first`. Rejects with `INVALID_CONFIG` for `assets.worker` when there is
 * none, or the app makes the worker itself; with `first` when it was about something else.
 */
export async function openRefused<T>(
  first: unknown,
  { worker }: { readonly worker?: unknown },
  open: (start: StartWorker) => Promise<T>,
  name?: string,
): Promise<T> {
  const reason = asRecallError(first, name)
  if (reason.field !== 'assets.worker' || typeof worker === 'function') throw reason
  try {
    return await open((make) => startRefused(make, reason))
  } catch (error) {
    const second = asRecallError(error, name)
    throw second.field === 'assets.worker' ? advise(second) : second
  }
}

function asRecallError(error: unknown, name: string | undefined): RecallError {
  if (error instanceof RecallError) return error
  return notStarted(error instanceof Error ? error.message : String(error), name)
}

function startRefused(make: () => Worker, reason: RecallError): Worker {
  const asked = recordStart(make)
  if (!asked) throw reason
  const { url, options } = asked
  const isForeign = url.protocol.startsWith('http') && url.origin !== location.origin
  const place = isForeign ? inBlob(asked) : url.href
  for (const trust of [...(isForeign ? [(plain: string) => plain] : []), trusted]) {
    try {
      return new Worker(trust(place), options)
    } catch {
      // The reason is known already.
    }
  }
  throw reason
}

interface Asked {
  readonly url: URL
  readonly options: WorkerOptions | undefined
}

/** What is given to `Worker`: bundlers write the URL into the call, so it is known nowhere else. */
function recordStart(make: () => Worker): Asked | undefined {
  const { Worker: native } = globalThis
  let asked: Asked | undefined
  try {
    globalThis.Worker = class {
      constructor(url: string | URL, options?: WorkerOptions) {
        asked = { url: new URL(url, document.baseURI), options }
      }
    } as unknown as typeof Worker
    make()
  } catch {
    // Then nothing is recorded.
  } finally {
    globalThis.Worker = native
  }
  return asked
}

/** A worker's own script must be of the page's origin; what it imports need not. */
function inBlob({ url, options }: Asked): string {
  const text = JSON.stringify(url.href)
  const code = options?.type === 'module' ? `import ${text}` : `importScripts(${text})`
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
}

interface TrustedPolicy {
  createScriptURL(url: string): string
}

let policy: TrustedPolicy | undefined

/** A page may allow the name once, so one policy serves all workers. Throws where there are no Trusted Types. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    readonly trustedTypes?: { createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy }
  }
  policy ??= trustedTypes?.createPolicy('scrubjay', { createScriptURL: (given) => given })
  if (!policy) throw new TypeError('This browser has no Trusted Types.')
  return policy.createScriptURL(url)
}

function advise(error: RecallError): RecallError {
  return addHint(error, moreHint)
}

const moreHint =
  'A worker of another origin also needs CORS, and that origin and blob: in worker-src. Under Trusted Types allow the ' +
  'policy scrubjay in trusted-types.'
