/**
 * Wraps a transport for `replicate`: each call has a deadline and ends when its signal aborts, whether the transport listens or not, and
 * each answer is checked.
 */
import { type RecallError, recallError } from '../core/model/errors.ts'
import { checkSize } from './transports/limits.ts'
import type { Etag, RequestLimits, StoredBlob, Transport } from './transports/transport.ts'

export interface GuardedTransport {
  /** Rejects with `INVALID_CONFIG`, which names the function, for an answer of another form. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, Etag>>
  get(name: string, signal: AbortSignal): Promise<StoredBlob | null>
  put(
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    ifMatch: Etag | undefined,
    signal: AbortSignal,
  ): Promise<Etag | null>
}

export interface GuardSettings {
  /** Of each call, in ms. */
  readonly deadlineMs: number
  /** Larger blobs are neither read nor written. */
  readonly maxBlobBytes: number
}

export function guardTransport(transport: Transport, { deadlineMs, maxBlobBytes }: GuardSettings): GuardedTransport {
  const limited = <T>(what: string, signal: AbortSignal, work: (limits: RequestLimits) => Promise<T> | T) =>
    withDeadline(what, { signal, deadlineMs }, (own) => work({ signal: own, maxBytes: maxBlobBytes }))
  return {
    async list(signal) {
      const listed: unknown = await limited('list', signal, (limits) => transport.list(limits))
      if (!(listed instanceof Map) || ![...listed].every(([name, etag]) => typeof name === 'string' && isEtag(etag)))
        throw wrong('list', 'must resolve to a Map of names and etags', 'Return new Map([[name, etag], …]).')
      return listed
    },
    async get(name, signal) {
      const blob: unknown = await limited(`get ${name}`, signal, (limits) => transport.get(name, limits))
      if (blob == null) return null
      const { bytes, etag } = blob as Partial<StoredBlob>
      if (!(bytes instanceof Uint8Array) || !isEtag(etag))
        throw wrong('get', 'must resolve to { bytes, etag }, or to null', 'Return the bytes as a Uint8Array.')
      checkSize(`The blob ${name}`, bytes.length, maxBlobBytes)
      return { bytes, etag }
    },
    async put(name, bytes, ifMatch, signal) {
      if (bytes.length > maxBlobBytes)
        throw recallError('INVALID_CONFIG', `must be at least ${bytes.length}, the size of the blob ${name}`, {
          field: 'options.maxBlobBytes',
          hint: 'Set it on every device.',
        })
      const etag: unknown = await limited(`put ${name}`, signal, (limits) =>
        transport.put(name, bytes, ifMatch, limits),
      )
      if (etag !== null && !isEtag(etag))
        throw wrong('put', 'must resolve to the new etag, or to null', 'Return null if another device wrote the blob.')
      return etag
    },
  }
}

function isEtag(value: unknown): value is Etag {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
}

interface Deadline {
  readonly signal: AbortSignal
  readonly deadlineMs: number
}

/** Runs the work until it ends, the signal aborts or the deadline passes. The latter two abort the work's own signal, too. */
async function withDeadline<T>(
  what: string,
  { signal, deadlineMs }: Deadline,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  signal.throwIfAborted()
  const own = new AbortController()
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    const fail = (reason: unknown) => {
      own.abort(reason)
      reject(reason)
    }
    const onAbort = () => fail(signal.reason)
    const timer = setTimeout(() => fail(expired(what, deadlineMs)), deadlineMs)
    signal.addEventListener('abort', onAbort)
    end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([ended, (async () => work(own.signal))()])
  } finally {
    end()
  }
}

function expired(what: string, deadlineMs: number): RecallError {
  return recallError('DEADLINE_EXCEEDED', `must answer ${what} within ${deadlineMs} ms`, {
    field: 'options.transport',
    hint: 'Check the network. For large blobs over a slow network, set a longer deadlineMs. The next round tries again.',
  })
}

function wrong(method: string, problem: string, hint: string): RecallError {
  return recallError('INVALID_CONFIG', problem, { field: `options.transport.${method}`, hint })
}
