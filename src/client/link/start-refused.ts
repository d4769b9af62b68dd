/**
 * Starts workers that the page refused. Files of another origin start through a blob, and Trusted Types need a policy of this package.
 * Loaded only if a worker did not start.
 */
import { addHint, RecallError } from '../../core/model/errors.ts'
import { notStarted } from './not-started.ts'

/** Creates a worker with the given function, or in another way. */
export type StartWorker = (make: () => Worker) => Worker

/**
 * Calls `open` again with the other way to start workers, after it failed with `first`. Rejects with `INVALID_CONFIG` for
 * `assets.worker` if that fails, too, or if the app creates the worker itself, and with `first` if that error has another cause.
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
  const recorded = recordStart(make)
  if (!recorded) throw reason
  const { url, options } = recorded
  const isForeign = url.protocol.startsWith('http') && url.origin !== location.origin
  const place = isForeign ? inBlob(recorded) : url.href
  for (const trust of [...(isForeign ? [(plain: string) => plain] : []), trusted]) {
    try {
      return new Worker(trust(place), options)
    } catch {
      // `reason` already says why.
    }
  }
  throw reason
}

interface WorkerArguments {
  readonly url: URL
  readonly options: WorkerOptions | undefined
}

/** Records the arguments of `new Worker(…)`. Bundlers write the URL into the call, so it is known nowhere else. */
function recordStart(make: () => Worker): WorkerArguments | undefined {
  const { Worker: native } = globalThis
  let recorded: WorkerArguments | undefined
  try {
    globalThis.Worker = class {
      constructor(url: string | URL, options?: WorkerOptions) {
        recorded = { url: new URL(url, document.baseURI), options }
      }
    } as unknown as typeof Worker
    make()
  } catch {
    // The arguments stay undefined.
  } finally {
    globalThis.Worker = native
  }
  return recorded
}

/** Returns the URL of a script that imports the worker: only the script itself must have the page's origin, not its imports. */
function inBlob({ url, options }: WorkerArguments): string {
  const text = JSON.stringify(url.href)
  const code = options?.type === 'module' ? `import ${text}` : `importScripts(${text})`
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
}

interface TrustedPolicy {
  createScriptURL(url: string): string
}

let policy: TrustedPolicy | undefined

/** Returns a trusted URL. A page may allow a policy's name only once, so all workers use one policy. Throws without Trusted Types. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    readonly trustedTypes?: { createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy }
  }
  policy ??= trustedTypes?.createPolicy('scrubjay', { createScriptURL: (plain) => plain })
  if (!policy) throw new TypeError('This browser does not support Trusted Types.')
  return policy.createScriptURL(url)
}

function advise(error: RecallError): RecallError {
  return addHint(error, moreHint)
}

const moreHint =
  'A worker of another origin also needs CORS, and that origin and blob: in worker-src. Under Trusted Types allow the ' +
  'policy scrubjay in trusted-types.'
