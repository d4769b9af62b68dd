/**
 * The composition root: the only file that imports adapters. Opens storage, store and index, then serves methods.
 * It reads no clock: every request has its `now`.
 */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import { closed } from '../../src/core/model/shared-errors.ts'
import type { Answer, Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import { builtInSpace } from '../../src/protocol/embedder.ts'
import type { EmbeddingPort, EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EngineEvent, EventListener } from '../../src/protocol/events.ts'
import { realTimers, type Timers } from '../../src/protocol/timers.ts'
import { type LoadedExtensions, noExtensions } from '../methods/common/extensions.ts'
import type { Ports } from '../methods/common/ports.ts'
import { startCatchUp } from '../methods/maintenance/catch-up.ts'
import { createErasure } from '../scheduling/erasure.ts'
import { createTurns } from '../scheduling/turns.ts'
import { createWriteQueue } from '../scheduling/write-queue.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import { typedMemoryError } from '../sqlite/sqlite-database.ts'
import { openStorage } from '../storage/choose-storage.ts'
import type { Unlocking } from '../storage/common/lock-port.ts'
import type { LoadingSqlite, OpenStorage } from '../storage/common/port.ts'
import type { RequestedSettings } from '../store/apply-settings.ts'
import { loadLanguagesOf } from '../store/load-languages-of.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import type { LeadingEngine } from '../tabs/port.ts'
import { checkNow, checkOperation, checkOptions } from './check-request.ts'
import { createDerivedState } from './derived-state.ts'
import { assertOneOwner, causeOf } from './exchanged-bytes.ts'
import { guardEmbedding } from './guard-embedding.ts'
import { createMethods, type Handler } from './methods.ts'
import { createPast } from './past.ts'
import { probeSqlite } from './warm-up.ts'

export interface Engine extends LeadingEngine {
  /** Makes the writes of opening durable. If the disk is too full to change options, the old ones stay and `status()` reports it. */
  secure(): Promise<void>
  /** Runs work in the write queue. */
  inTurn<T>(work: (ports: Ports, store: SqliteStore) => Promise<T> | T): Promise<T>
}

/** Replaceable in tests. */
export interface Surroundings {
  readonly timers?: Timers | undefined
  /** Receives progress events while the engine opens. */
  readonly tell?: EventListener | undefined
  /** The lock of a store in a browser. */
  readonly lock?: Unlocking | undefined
  /** Opens the file of a store with `storage: 'file'`. Default: this platform has no files. */
  readonly openFile?: ((sqlite3: LoadingSqlite, path: string) => Promise<OpenStorage>) | undefined
}

export async function createEngine(
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  extensions: LoadedExtensions = noExtensions,
  surroundings: Surroundings = {},
): Promise<Engine> {
  checkOptions(options)
  // SQLite, the kernel and the files load in parallel.
  const sqlite3 = initSqlite({ wasmUrl: options.sqliteWasm })
  // A store in memory leaves nothing in the browser.
  void probeSqlite(sqlite3, options.storage !== 'memory')
  const kernel = options.kernel === undefined ? undefined : await fetchKernel(options.kernel)
  const { name, storage: kind } = options
  const { openFile = noFiles, lock } = surroundings
  const storage = await (kind === 'file'
    ? openFile(sqlite3, name)
    : openStorage(sqlite3, { name, storage: kind, lock }))
  try {
    await loadLanguagesOf(storage.database, options.languages)
    const engine = createEngineOver(storage, options, embedding, kernel, extensions, surroundings)
    // If the schema cannot be made durable, opening must fail, not the first put.
    await engine.secure()
    return engine
  } catch (error) {
    const cause = causeOf(storage, error)
    // A store that failed to open must release its files.
    await storage.close().catch(() => undefined)
    throw cause
  }
}

/** Creates an engine over open storage: reads the stored rows and rebuilds the derived state. */
export function createEngineOver(
  storage: OpenStorage,
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  kernel?: BufferSource,
  extensions: LoadedExtensions = noExtensions,
  { timers = realTimers, tell: tellOpening = () => undefined }: Surroundings = {},
): Engine {
  const { policy, authority } = checkOptions(options)
  const turns = createTurns()
  const writeQueue = createWriteQueue(turns, async () => {
    await storage.flush?.()
    if (!derived.isStale()) storage.acknowledged?.note(derived.latest().store.revision())
  })
  const listeners = new Set<EventListener>()
  const emit = (event: EngineEvent) => {
    for (const listener of listeners) tell(listener, event)
    if (event.type !== 'changed') return
    past?.forgotten()
    tellPending()
  }
  let requestedSettings: RequestedSettings = {
    stemmer: options.stemmer,
    metadataKeys: options.metadataKeys,
    languages: options.languages,
    history: options.history,
    tell: (done, total) => tellOpening({ type: 'progress', operation: 'options', done, total }),
  }
  const derived = createDerivedState({
    storage,
    options,
    authority,
    kernel,
    writeQueue,
    settings: () => requestedSettings,
    emit,
  })
  const { current } = derived
  embedding?.setLanguages?.(derived.latest().store.settings.languages)
  const erasure = createErasure(storage, writeQueue, timers)
  const fallback = fallbackEvent(storage, options)
  const guarded =
    embedding === null || options.space === null
      ? null
      : guardEmbedding({
          port: embedding,
          space: options.standIn === undefined ? options.space : builtInSpace,
          timers,
          languages: () => derived.latest().store.settings.languages,
        })
  const ports: Ports = {
    options,
    policy,
    authority,
    storage,
    embedding: guarded,
    tableBytes: () => embedding?.bytes?.() ?? 0,
    get catchUp() {
      return catchUp
    },
    extensions,
    get store() {
      return current().store
    },
    get index() {
      const { acceleration, index, searched } = current()
      return searched ?? acceleration?.index() ?? index
    },
    get past() {
      return past
    },
    get acceleration() {
      return current().acceleration
    },
    get scorer() {
      return current().scorer
    },
    get completeScorer() {
      return current().completeScorer
    },
    get rows() {
      return current().rows
    },
    turns,
    writeQueue,
    erasure,
    invalidateDerived: derived.invalidate,
    emit,
  }
  const { sqlite3 } = storage.database
  const openMemory = () => openStorage(sqlite3, { name: options.name, storage: 'memory' })
  const past =
    options.history === true ? createPast(() => ports, { storage, options, authority, kernel, openMemory }) : null
  const ending = new AbortController()
  const catchUp = guarded === null ? null : startCatchUp(ports, guarded, ending.signal, timers)
  /** Null if reading fails: the write before it is committed and must not seem to fail. The next change counts again. */
  const countPending = () => {
    try {
      return current().store.pendingVectors()
    } catch {
      return null
    }
  }
  let reportedPending = 0
  const tellPending = () => {
    const pending = countPending()
    if (pending === null || pending === reportedPending) return
    reportedPending = pending
    emit({ type: 'vectors', pending })
    if (pending > 0) catchUp?.begin()
  }
  // Runs after opening, so that opening does not wait for it.
  timers.after(0, () => !ending.signal.aborted && tellPending())
  const answers = createMethods(ports, (how) => {
    erasure.stop()
    past?.close()
    const { acceleration, store } = derived.latest()
    acceleration?.stop(how)
    store.close()
  })
  const answered = async <V extends Method>(method: V, request: Arguments<V>, context: RequestContext) => {
    try {
      return await (answers[method] as Handler<V>)(request, context)
    } catch (error) {
      throw causeOf(storage, typedMemoryError(storage.database.sqlite3, error))
    }
  }
  let isClosed = false
  return {
    backend: storage.kind,
    revision: () => current().store.revision(),
    settings: () => current().store.settings,
    async secure() {
      const { isRebuilt } = derived.latest().store
      try {
        await storage.flush?.()
      } catch (error) {
        if (!isRebuilt || !(error instanceof RecallError) || error.code !== 'QUOTA_EXCEEDED') throw error
        requestedSettings = { ...requestedSettings, refused: error.message }
        derived.invalidate()
        embedding?.setLanguages?.(current().store.settings.languages)
        await storage.flush?.()
      }
    },
    erase: erasure.now,
    inTurn: (work) => writeQueue.write(() => work(ports, current().store)),
    async call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext): Promise<Answer<V>> {
      if (isClosed) throw closed(options.name)
      checkNow(context.now)
      checkOperation(context.operation)
      const ends = method === 'close' || method === 'destroy' || method === 'lockNow'
      if (ends) {
        isClosed = true
        ending.abort()
      }
      await turns.take(context.signal)
      const answer = await answered(method, request, context)
      if (ends) ports.emit({ type: 'closed', isLocked: method === 'lockNow' || undefined })
      else assertOneOwner(storage, method, request)
      return answer
    },
    subscribe(listener) {
      listeners.add(listener)
      if (fallback !== null) tell(listener, fallback)
      if (reportedPending > 0) tell(listener, { type: 'vectors', pending: reportedPending })
      return () => listeners.delete(listener)
    },
  }
}

/** The event that says that `auto` had to choose another storage than OPFS [P2]. Every listener gets it when it subscribes. */
function fallbackEvent({ kind, degraded }: OpenStorage, { storage }: EngineOptions): EngineEvent | null {
  return storage === 'auto' && kind !== 'opfs' && kind !== 'file' && kind !== 'server'
    ? { type: 'storage', backend: kind, degraded }
    : null
}

async function noFiles(): Promise<never> {
  throw recallError('STORAGE_UNAVAILABLE', 'must be absent here: only Node keeps a store in a file', {
    field: 'path',
    hint: 'Give a name instead of a path.',
  })
}

/** Fetches the kernel from `assets.kernel`. Without that option the kernel inside the bundle is used. */
async function fetchKernel(url: string): Promise<BufferSource> {
  const response = await fetch(url)
  if (response.ok) return response.arrayBuffer()
  throw recallError('INVALID_CONFIG', `must be the URL of the kernel, but the server answered ${response.status}`, {
    field: 'assets.kernel',
    value: url,
    hint: 'Serve the kernel at this URL. Or leave the option out: the bundle has a kernel.',
  })
}

/** Rethrows errors of a listener in a microtask: they must not make a committed write seem to fail. */
function tell(listener: EventListener, event: EngineEvent): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
