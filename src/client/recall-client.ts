/**
 * Implements the methods of `Recall` over a link: sends requests and unpacks answers. The engine validates nearly all arguments.
 * Tests use a `MessageChannel` instead of a worker.
 */
import type { AuthorityConfig } from '../core/model/authority.ts'
import type { RecallError } from '../core/model/errors.ts'
import type { Policy } from '../core/model/policy.ts'
import type { RecallQuery, Scope } from '../core/model/query.ts'
import type { PutReceipt } from '../core/model/receipts.ts'
import type { RecordInput, StoredRecord } from '../core/model/record.ts'
import type { RecallResult } from '../core/model/result.ts'
import { closed, throwIfRejected } from '../core/model/shared-errors.ts'
import type { Embedder } from '../protocol/embedder.ts'
import type { Answer, Arguments, Method } from '../protocol/engine-api.ts'
import type { EventListener } from '../protocol/events.ts'
import { unpackResult } from '../protocol/packed-result.ts'
import type { CallOptions, Live, LiveOptions, PutOptions, Recall } from './api/recall.ts'
import { askToPersist } from './ask-to-persist.ts'
import { refuseAborted, whenAborted, withoutListener } from './calls/check-options.ts'
import { createCommitCount } from './calls/commit-count.ts'
import { completed } from './calls/completed.ts'
import { createLocks } from './calls/locks.ts'
import { packVector } from './calls/pack-vectors.ts'
import { type CallSettings, type Calls, createCalls, type Send } from './calls/run-calls.ts'
import { loadRefusals, sendInSlices, sendPlain } from './calls/send-records.ts'
import type { EmbeddedQuery } from './vectors/embed-records.ts'
import type { PageEmbedding } from './vectors/page-embedding.ts'

export interface ClientSettings extends CallSettings {
  readonly name: string
  /** The app's own embedder; null if the engine makes vectors, or if there are none. */
  readonly embedder: Embedder | null
  /** The capabilities that the embedder says it lacks. */
  readonly degraded?: readonly string[] | undefined
  /** What to do with a record whose vectors the app's embedder cannot make. Default `store-without`. */
  readonly embedderFailure?: 'store-without' | 'reject' | undefined
  /** Sent with queries that name no policy; undefined: the engine uses its own. */
  readonly policy: Policy | string | undefined
  /** Sent with queries that name no zone; undefined: the engine uses that of its device. */
  readonly timeZone?: string | undefined
  /** Default of `reflectPrompt`. */
  readonly authority: AuthorityConfig | null
  /** Releases this client's share of the engine; called once. */
  release(): Promise<void>
  /** Deletes the store and ends all its clients, including this one. */
  destroy(): Promise<void>
  /** Locks the store and ends all its clients. Absent: it has no locks. */
  lockNow?(): Promise<void>
}

export interface RecallClient {
  readonly recall: Recall
  /** Ends all pending calls with this error and refuses later ones. */
  end(error: RecallError): void
}

export function createRecallClient(settings: ClientSettings): RecallClient {
  const { link, name, embedder } = settings
  const calls = createCalls(settings)
  const unsubscribe = new Set<() => void>()
  let closing: Promise<void> | undefined
  const ending = new AbortController()
  // Loaded with the first call that needs it: pages without an embedder of their own never load it.
  let opened: Promise<PageEmbedding> | undefined
  const loadEmbedding = (own: Embedder) => (opened ??= openEmbedding(settings, own, calls, ending.signal))
  const makes = embedder?.makesVectors === false ? null : embedder // Null if the app gives all vectors itself.
  if (makes) {
    const onEvent: EventListener = (event) => {
      if (event.type !== 'vectors' || (event.pending === 0 && !opened)) return
      void loadEmbedding(makes).then(({ catchUp }) => catchUp.setPending(event.pending))
    }
    ending.signal.addEventListener('abort', link.subscribe(onEvent))
  }

  const end = (error: RecallError) => {
    ending.abort(error)
    calls.end(error)
    for (const stop of unsubscribe) stop()
  }

  function put(record: RecordInput, options?: PutOptions): Promise<PutReceipt>
  function put(records: readonly RecordInput[], options?: PutOptions): Promise<PutReceipt>
  function put(input: RecordInput | readonly RecordInput[], options?: PutOptions): Promise<PutReceipt> {
    const batch: readonly RecordInput[] = isList(input) ? input : [input]
    const committed = createCommitCount('stored', batch.length)
    const work = async (send: Send, signal: () => AbortSignal) => {
      const embed =
        embedder &&
        (async (records: readonly RecordInput[]) => (await loadEmbedding(embedder)).records(records, signal()))
      const receipt = await sendInSlices(send, batch, { ...options, embed, onCommitted: committed.set })
      if (!isList(input)) throwIfRejected(receipt)
      if (receipt.durability === 'committed') askToPersist()
      return receipt
    }
    return calls.run(options, work, committed.addTo)
  }

  function get(id: string, options?: CallOptions): Promise<StoredRecord | undefined>
  function get(ids: readonly string[], options?: CallOptions): Promise<readonly (StoredRecord | undefined)[]>
  // The answer is a list only if the argument is one, which TypeScript cannot infer for two signatures.
  function get(input: string | readonly string[], options?: CallOptions): Promise<never> {
    return calls.run(options, async (send) => {
      const records = await sendPlain(send, 'get', { ids: isList(input) ? input : [input] })
      return (isList(input) ? records : records[0]) as never
    })
  }

  /** Sends one request. `given` is the value whose fields an error names if one of them cannot be copied. */
  const call = <V extends Method>(method: V, request: Arguments<V>, options?: CallOptions, given: unknown = request) =>
    calls.run(options, (send) => sendPlain(send, method, request, given))

  const patch: Recall['patch'] = (id, fields, options) =>
    calls.run(options, async (send, signal) => {
      if (!embedder) return sendPlain(send, 'patch', { id, fields }, fields)
      const read = async () => (await send('get', { ids: [id] }))[0]
      const { reasons, made } = await (await loadEmbedding(embedder)).patch(fields, read, signal())
      return reasons(await sendPlain(send, 'patch', { id, fields: made }, fields))
    })

  const forget: Recall['forget'] = (target, options) => {
    if (typeof target === 'string') return call('forget', { ids: [target] }, options, target)
    const committed = createCommitCount('forgotten')
    const work = async (send: Send) => {
      // Copied before the first await, so that later changes of the caller have no effect.
      const copy = await sendable(target)
      const { forgetIds, forgetScope } = await loadForgetting()
      return isList(copy as readonly string[])
        ? forgetIds(send, copy as readonly string[], committed.set)
        : forgetScope(send, copy as Scope, committed.set)
    }
    return calls.run(options, work, committed.addTo)
  }

  /** Synchronous without an embedder of the app, so that later changes of the caller have no effect. */
  const complete = (given: string | RecallQuery, signal: () => AbortSignal): EmbeddedQuery | Promise<EmbeddedQuery> => {
    const query = completed(given, settings)
    return makes ? loadEmbedding(makes).then((loaded) => loaded.query(query, signal)) : { query }
  }

  function subscribe(listener: EventListener): () => void
  function subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
  function subscribe(to: EventListener | Live, listener?: (result: RecallResult) => void, options?: LiveOptions) {
    if (closing) throw closed(name)
    if (typeof (typeof to === 'function' ? to : listener) !== 'function') throw withoutListener(listener)
    const watching = new AbortController()
    const { signal } = watching
    const stop = () => {
      unsubscribe.delete(stop)
      watching.abort()
    }
    unsubscribe.add(stop)
    signal.addEventListener('abort', whenAborted(options, stop))
    if (typeof to === 'function') signal.addEventListener('abort', link.subscribe(to))
    else {
      const prepare = async () => (await complete(to.query, () => signal)).query
      void import('./calls/live-query.ts').then((live) =>
        live.watchQuery({ prepare, recall, listener, options }, signal),
      )
    }
    return stop
  }

  /** Sends a query with this client's policy and a vector of its embedder. */
  const ask = <V extends 'recall' | 'assemble' | 'assess' | 'about' | 'why'>(
    method: V,
    given: string | Arguments<V>['query'],
    options: CallOptions | undefined,
    more?: { readonly id: string },
  ): Promise<Answer<V>> =>
    calls.run(options, async (send, signal) => {
      const made = complete(given as RecallQuery, signal)
      const { query, ...without } = makes ? await made : (made as EmbeddedQuery)
      const packed = query?.vector instanceof Float32Array ? packVector(query.vector) : null
      const sent = packed ? { ...query, vector: packed.vector } : query
      return sendPlain(send, method, { ...more, ...without, query: sent } as Arguments<V>, query, packed?.transfer)
    })

  // One method per entry: its arguments in this order, then the options.
  const plain = Object.fromEntries(
    Object.entries(plainMethods).map(([method, names]) => [
      method,
      (...given: readonly unknown[]) =>
        call(
          method as Method,
          Object.fromEntries(names.map((name, i) => [name, given[i]])) as never,
          given[names.length] as CallOptions,
        ),
    ]),
  ) as unknown as Pick<Recall, keyof typeof plainMethods>

  const hasLocks = settings.lockNow !== undefined
  const recall: Recall = {
    put,
    get,
    patch,
    setReasons: (id, reasons, options) => patch(id, { reasons }, options),
    setRisks: (id, risks, options) => patch(id, { risks }, options),
    setRelations: (id, relations, options) => patch(id, { relations }, options),
    list: (filter = {}, options) => call('list', { filter }, options, filter),
    count: (scope = {}, options) => call('count', { scope }, options, scope),
    tags: (scope = {}, options) => call('tags', { scope }, options, scope),
    forget,
    ...plain,
    ...createLocks(calls, settings.now, settings.lockNow),
    recall: async (given, options) => unpackResult(await ask('recall', given, options)),
    assemble: async (given, options) => unpackResult(await ask('assemble', given, options)),
    assess: (given, options) => ask('assess', given, options),
    about: (text, options) => {
      const { signal, ...given } = options ?? {}
      return ask('about', { ...given, text }, signal && { signal })
    },
    why: (given, id, options) => ask('why', given, options, { id }),
    checkFiles: (states, options) => call('checkFiles', { states }, options, states),
    reflectPrompt: (request, options) =>
      // Loaded with the first call: most pages never need it.
      calls.run(options, async () => (await loadLong()).reflect(request, settings.authority)),
    async *exportTo(options) {
      yield* (await loadLong()).exportParts(calls, options)
    },
    async remember(messages, options) {
      const copy = sendable(messages)
      return (await loadLong()).remember(recall, settings.now, await copy, options)
    },
    importFrom: async (...given) => (await loadLong()).importParts({ calls, put, hasLocks }, ...given),
    async reembed(options) {
      const own = embedder && (await loadEmbedding(embedder)).embedder
      return (await loadLong()).reembed(calls, own, options)
    },
    async status(options) {
      const status = await call('status', {}, options)
      const { degraded, ...rest } = embedder && opened ? (await opened).status(status) : status
      return { ...rest, degraded: [...degraded, ...(settings.degraded ?? [])] }
    },
    compact: (options) => call('compact', { newKey: options?.newKey }, options),
    integrityCheck: (options) => call('integrityCheck', { repair: options?.repair }, options),
    retain: (options) => {
      const committed = createCommitCount('forgotten')
      const work = async (send: Send) => (await loadForgetting()).retainInSlices(send, options?.dryRun, committed.set)
      return calls.run(options, work, committed.addTo)
    },
    subscribe,
    async close(options) {
      refuseAborted(options)
      if (!closing) {
        end(closed(name))
        closing = settings.release()
      }
      await closing
    },
    async destroy(options) {
      // Refuses a closed client. Then runs outside `calls`, because all calls of this client end with the store.
      await calls.run(options, async () => undefined)
      await settings.destroy()
    },
  }
  return { recall, end }
}

/** Methods that send their arguments unchanged, with the names of these arguments. */
const plainMethods = {
  facets: ['request'],
  suggest: ['prefix', 'request'],
  verifyForgotten: ['id'],
  versions: ['id'],
  related: ['id', 'request'],
  acknowledge: ['of', 'outcomes'],
  link: ['a', 'b', 'weight'],
  strengthen: ['a', 'b', 'delta'],
  weakenLinks: ['factor'],
  linked: ['id', 'limit'],
  predict: ['id', 'expected'],
  resolvePrediction: ['id', 'actual'],
  predictionErrors: ['filter'],
  proposals: ['scope'],
  expireProposals: ['ttlMs'],
  events: ['since'],
} as const satisfies { readonly [V in Method & keyof Recall]?: readonly (keyof Arguments<V>)[] }

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given)
}

async function openEmbedding(settings: ClientSettings, own: Embedder, calls: Calls, signal: AbortSignal) {
  const { openPageEmbedding } = await import('./vectors/page-embedding.ts')
  const { link, embedderFailure } = settings
  return openPageEmbedding(own, { link, calls, signal, rejects: embedderFailure === 'reject' })
}

const loadLong = () => import('./long-operations.ts')

const loadForgetting = () => import('./calls/forget-in-slices.ts')

/** Returns a copy of an argument. Throws an error that names the field which cannot be copied. */
function sendable<T>(given: T): T | Promise<never> {
  try {
    return structuredClone(given)
  } catch (error) {
    return loadRefusals().then(({ refuseUncloneable }) => Promise.reject(refuseUncloneable(given) ?? error))
  }
}
