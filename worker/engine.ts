/**
 * The composition root: the only importer of adapters. Opens storage, store and index, then answers verbs.
 * It reads no clock: every request brings its `now`.
 */
import { parseAuthorityConfig } from '../src/core/ingest/parse-authority.ts'
import { recallError } from '../src/core/model/errors.ts'
import { tuning } from '../src/core/model/tuning.ts'
import { findPolicy } from '../src/core/policies/find-policy.ts'
import { parseIds } from '../src/core/query/parse-query.ts'
import { createLexicalScorer } from '../src/core/sketch/bm25.ts'
import type { Answer, Arguments, RequestContext, Verb } from '../src/protocol/engine-api.ts'
import type { EmbeddingPort, EngineOptions } from '../src/protocol/engine-options.ts'
import type { EngineEvent, EventListener } from '../src/protocol/events.ts'
import { createKeyRows } from './gather/key-rows.ts'
import { loadKernel } from './kernel/load-kernel.ts'
import { checkFiles } from './operations/check-files.ts'
import { assemble } from './operations/assemble.ts'
import { assess } from './operations/assess.ts'
import { acknowledge } from './operations/acknowledge.ts'
import { events } from './operations/events.ts'
import { expireProposals } from './operations/expire-proposals.ts'
import { rememberedLesson } from './operations/learn.ts'
import { link } from './operations/link.ts'
import { linked } from './operations/linked.ts'
import { predict } from './operations/predict.ts'
import { predictionErrors } from './operations/prediction-errors.ts'
import { proposals } from './operations/proposals.ts'
import { resolvePrediction } from './operations/resolve-prediction.ts'
import { strengthen } from './operations/strengthen.ts'
import { weakenLinks } from './operations/weaken-links.ts'
import { forget, verifyForgotten } from './operations/forget.ts'
import { list } from './operations/list.ts'
import { patched } from './operations/patch.ts'
import { createPut } from './operations/put.ts'
import { recall } from './operations/recall.ts'
import { scopeOf } from './operations/scope.ts'
import { status } from './operations/status.ts'
import { why } from './operations/why.ts'
import { initSqlite } from './persistence/init-sqlite.ts'
import { openStorage } from './persistence/ladder.ts'
import { openMemory } from './persistence/memory.ts'
import type { OpenStorage } from './persistence/port.ts'
import type { Ports } from './ports.ts'
import { createSerial } from './serial.ts'
import { createSqliteStore, type SqliteStore } from './store/sqlite-store.ts'
import { findTabsPlatform } from './tabs/find-platform.ts'
import type { LeadingEngine, ServedEngine } from './tabs/port.ts'
import { openTabs } from './tabs/route.ts'
import { createExactIndex } from './vector/exact.ts'
import { fillIndex } from './vector/fill-index.ts'
import type { VectorIndex } from './vector/port.ts'

export type Engine = LeadingEngine

/** An engine for a page, shared with the other tabs that have the store open (`tabs/route.ts`). */
export async function openEngine(options: EngineOptions, embedding: EmbeddingPort | null): Promise<ServedEngine> {
  // Here too: one that follows opens nothing that would find out.
  const { policy } = checkOptions(options)
  const resolved = { ...options, policy }
  const open = () => createEngine(resolved, embedding)
  return openTabs(resolved, { open, prepare: () => rehearse(resolved) }, findTabsPlatform())
}

export async function createEngine(options: EngineOptions, embedding: EmbeddingPort | null): Promise<Engine> {
  if (options.index === 'hnsw') throw noHnsw()
  checkOptions(options)
  const kernel = options.kernel === undefined ? undefined : await fetchKernel(options.kernel)
  const sqlite3 = await initSqlite({ wasmUrl: options.sqliteWasm })
  const storage = await openStorage(sqlite3, { name: options.name, storage: options.storage })
  try {
    return createEngineOver(storage, options, embedding, kernel)
  } catch (error) {
    // A store that was refused must not keep its files from the next who asks.
    await storage.close()
    throw error
  }
}

/** An engine over storage that is already open: what was stored there is read, the rest is derived anew. */
export function createEngineOver(
  storage: OpenStorage,
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  kernel?: BufferSource,
): Engine {
  const { policy, authority } = checkOptions(options)
  const store = createSqliteStore(storage.database, { stemmer: options.stemmer, metadataKeys: options.metadataKeys })
  const index = openIndex(store, options, kernel)
  const listeners = new Set<EventListener>()
  const ports: Ports = {
    options,
    policy,
    authority,
    store,
    storage,
    index,
    embedding,
    scorer: createLexicalScorer(),
    rows: createKeyRows(),
    serial: createSerial(),
    emit: (event: EngineEvent) => {
      for (const listener of listeners) tell(listener, event)
    },
  }
  const answers = createAnswers(ports, store)
  let closed = false
  return {
    backend: storage.kind,
    revision: store.revision,
    async call<V extends Verb>(verb: V, request: Arguments<V>, context: RequestContext): Promise<Answer<V>> {
      if (closed)
        throw recallError('CLOSED', `the store ${options.name} is closed`, { cure: 'Open it again with openRecall.' })
      checkNow(context.now)
      checkOperation(context.operation)
      const ends = verb === 'close' || verb === 'destroy'
      if (ends) closed = true
      const answer = await (answers[verb] as Handler<V>)(request, context)
      if (ends) ports.emit({ type: 'closed' })
      return answer
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * What opening a store does, once over in memory: the browser has loaded and compiled by then what a tab needs to take a
 * store over. Seen: what took 160–530 ms on a busy machine took 2–4 ms. Fails in silence: opening says what is wrong.
 */
async function rehearse(options: EngineOptions): Promise<void> {
  try {
    const sqlite3 = await initSqlite({ wasmUrl: options.sqliteWasm })
    const context = { now: 0 }
    const engine = createEngineOver(await openMemory(sqlite3, ''), options, null)
    await nextTask()
    await engine.call('put', { batch: [{ body: 'text' }] }, context)
    await nextTask()
    await engine.call('recall', { query: { text: 'text' } }, context)
    await engine.call('close', {}, context)
  } catch {}
}

/** Lets messages in between. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** The kernel from where `assets.kernel` says; without it the one inside the bundle is used. */
async function fetchKernel(url: string): Promise<BufferSource> {
  const response = await fetch(url)
  if (response.ok) return response.arrayBuffer()
  throw recallError('INVALID_CONFIG', `answers ${response.status}`, {
    field: 'assets.kernel',
    value: url,
    cure: 'Serve the kernel there, or leave the option out: the bundle holds one.',
  })
}

function noHnsw() {
  return recallError('INVALID_CONFIG', 'is not in this version', {
    field: 'index',
    value: 'hnsw',
    cure: 'Use "auto" or "exact": the exact scan answers 100,000 records within milliseconds.',
  })
}

/** Throws before anything is opened when policy or authority is wrong. */
function checkOptions({ policy, authority }: EngineOptions) {
  return {
    policy: findPolicy(policy, 'policy'),
    authority: authority === null ? null : parseAuthorityConfig(authority),
  }
}

/** A clock that is not one would be stored with every record. */
function checkNow(now: number): void {
  if (Number.isFinite(now) && Math.abs(now) <= tuning.maxTimestampMs) return
  throw recallError('INVALID_ARGUMENT', 'is not a time', {
    field: 'now',
    value: now,
    cure: 'Let the now option return milliseconds since the epoch.',
  })
}

/** A retry is known by it: an id that two writes share would make the second one vanish. */
function checkOperation(operation: unknown): void {
  const { maxOperationLength } = tuning
  if (operation === undefined) return
  if (typeof operation === 'string' && operation !== '' && operation.length <= maxOperationLength) return
  throw recallError('INVALID_ARGUMENT', `is no text of 1 to ${maxOperationLength} characters`, {
    field: 'operation',
    value: operation,
    cure: 'Give each write an id of its own, or none.',
  })
}

/** What a listener throws is the page's to report; it must not make a write that is committed look refused. */
function tell(listener: EventListener, event: EngineEvent): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** Vectors of the chosen space only: those of another space stay in the store, unread (law V4). */
function openIndex(store: SqliteStore, { space }: EngineOptions, kernel: BufferSource | undefined): VectorIndex | null {
  if (space === null) return null
  store.chooseSpace(space)
  const index = createExactIndex(loadKernel(kernel), space.dimensions)
  fillIndex(index, store)
  return index
}

function nothing(): void {}

type Handler<V extends Verb> = (request: Arguments<V>, context: RequestContext) => Promise<Answer<V>> | Answer<V>

/** One line a verb: what it is called with, and whether it waits its turn in the write queue. */
function createAnswers(ports: Ports, store: SqliteStore): { readonly [V in Verb]: Handler<V> } {
  const { serial, storage } = ports
  const { put, putMade } = createPut(ports)
  const end = (finish: () => Promise<void>) =>
    serial.write(async () => {
      store.close()
      await finish()
    })
  /** A write that teaches: once per operation; `read` makes its answer of what is remembered. */
  const teach = <T>(
    { operation }: RequestContext,
    work: (own: Ports) => T,
    read: (remembered: object) => T = (remembered) => remembered as T,
  ): Promise<T> =>
    serial.write(() => {
      const remembered = rememberedLesson(ports, operation)
      return remembered ? read(remembered) : work({ ...ports, operation })
    })
  return {
    put: ({ batch }, context) => put(batch, context),
    patch: ({ id, fields }, context) => putMade(id, () => patched(store, id, fields), context),
    get: ({ ids }) => store.get(parseIds(ids)),
    list: ({ filter }) => list(store, filter),
    count: ({ scope }) => store.count(scopeOf(store, scope)),
    tags: ({ scope }) => store.tags(scopeOf(store, scope)),
    forget: (request, context) => serial.write(() => forget(ports, request, context)),
    verifyForgotten: ({ id }) => verifyForgotten(ports, id),
    recall: ({ query }, { now }) => recall(ports, query, now),
    assemble: ({ query }, context) => assemble(ports, query, context),
    assess: ({ query }, { now }) => assess(ports, query, now),
    why: ({ query, id }, { now }) => why(ports, query, id, now),
    checkFiles: ({ states }, context) => checkFiles(ports, states, context),
    acknowledge: (request, context) => teach(context, (own) => acknowledge(own, request, context.now), nothing),
    link: (request, context) => teach(context, (own) => link(own, request, context.now)),
    strengthen: (request, context) => teach(context, (own) => strengthen(own, request, context.now)),
    weakenLinks: ({ factor }, context) => teach(context, (own) => weakenLinks(own, factor, context.now)),
    linked: (request) => linked(store, request),
    predict: (request, context) => teach(context, (own) => predict(own, request, context.now)),
    resolvePrediction: (request, context) => teach(context, (own) => resolvePrediction(own, request, context.now)),
    predictionErrors: ({ filter }) => predictionErrors(store, filter ?? {}),
    proposals: ({ scope }, { now }) => proposals(store, scope, now),
    expireProposals: ({ ttlMs }, context) =>
      teach(
        context,
        (own) => expireProposals(own, ttlMs, context.now),
        ({ expired }: { readonly expired?: number }) => expired ?? 0,
      ),
    events: ({ since }) => events(store, since),
    status: () => status(ports),
    close: () => end(storage.close),
    destroy: () => end(storage.destroy),
  }
}
