/**
 * One node's engine over a store that several nodes share. The engine's database is a cache of the shared rows. A write is planned and
 * committed there, then shipped with one compare-and-set; only then is it acknowledged. If another node wrote first, the commit is undone: the
 * rows that it changed are pulled again, and the call is planned again. No answer is made of rows that were not shipped.
 */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import type { BlockKey, BlockStore, KeptStore, ShipOutcome } from '../../src/protocol/blocks.ts'
import type { Answer, Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import type { EmbeddingPort, EngineOptions } from '../../src/protocol/engine-options.ts'
import { mayWrite } from '../../src/protocol/methods.ts'
import { createEngineOver, type Engine } from '../engine/engine.ts'
import { afterCommit } from '../methods/common/after-commit.ts'
import type { LoadedExtensions } from '../methods/common/extensions.ts'
import { inSteps } from '../methods/common/in-steps.ts'
import type { Ports } from '../methods/common/ports.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import { loadLanguagesOf } from '../store/load-languages-of.ts'
import type { WriteTarget } from '../store/rows/write-target.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import type { ServedEngine } from '../tabs/port.ts'
import { applyRows, costOfRows } from '../store/export/apply-rows.ts'
import { fillWithSchema } from './empty-store.ts'
import { bytesOf, fillFrom } from './kept-store.ts'
import { parseRows, readRows } from './rows.ts'
import { birthIn, fits, noteTiers, settingsIn } from './shared-settings.ts'
import { type ChangeTracker, trackChanges } from './track-changes.ts'
import { createTurns } from './turns.ts'

export interface Replica extends ServedEngine {
  /** The shared revision that the engine's rows are equal to. */
  revision(): number
  /** Pulls the writes of other nodes. Resolves to whether there were any. */
  catchUp(): Promise<boolean>
  /** How often a write was undone because another node wrote first, or because its outcome was unknown. */
  undone(): number
  /** Closes the engine. Resolves to its database, or to null if it differs from the shared rows. */
  closeAndKeep(context: RequestContext): Promise<KeptStore | null>
  /** Whether the shared rows were restored, deleted or got other options, so that the engine must be opened again. */
  isOutdated(): boolean
}

export interface ReplicaSettings {
  readonly blocks: BlockStore
  /** Reads may miss writes of other nodes that are younger than this, in ms. Default 0: each read asks for the revision first. */
  readonly staleMs?: number | undefined
  /** A database to begin with, from `closeAndKeep`. Rejects with LEADER_LOST if it is of another store than the shared rows are. */
  readonly kept?: KeptStore | undefined
}

/** Pulls that a read waits for. One may have asked before the revision was written; a database that still does not give it is another one. */
const mostPulls = 3

/** How often one call is planned again before it gives up. */
const mostAttempts = 100

/** Takes over `storage`, which must be empty or closed in order before. */
export async function openReplica(
  storage: OpenStorage,
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  extensions: LoadedExtensions,
  settings: ReplicaSettings,
): Promise<Replica> {
  const { blocks, staleMs = 0, kept } = settings
  const { database } = storage
  let tracker: ChangeTracker | null = null
  let at = 0
  let birth = kept?.birth ?? null
  /** Keys of rows that a lost write changed; null: the database is equal to the shared rows at `at`. */
  let dirty: readonly BlockKey[] | null = null
  let undone = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let shipping: Promise<ShipOutcome> | null = null
  let isOpen = true
  let isOutdated = false
  /** Whether closing must leave the database in `left`. */
  let keeps = false
  let left: KeptStore | null = null

  const outdated = () => {
    isOutdated = true
    return otherStore(options.name)
  }
  /** Whether the store was deleted and made again under the same name. */
  const isOtherBirth = (stored: string | null) => {
    const found = birthIn(stored)
    return birth !== null && found !== null && found !== birth
  }

  const ship = async () => {
    if (!isOpen || tracker === null) return
    if (dirty !== null) throw new LostRace()
    const to = revisionIn(database)
    // Keys of transactions that were rolled back wait for the next write.
    if (to === at) return
    const keys = tracker.keys()
    const born = birth ?? crypto.randomUUID()
    const own = settingsIn(engine, database, born)
    let outcome: ShipOutcome = 'lost'
    try {
      shipping = blocks.ship({ from: at, to, settings: own, rows: readRows(database, keys) })
      outcome = await shipping
    } catch (error) {
      // It is unknown whether the rows were written: the next pull shows it.
      dirty = keys
      throw new LostRace(error)
    } finally {
      shipping = null
    }
    if (outcome === 'lost') {
      dirty = keys
      throw new LostRace()
    }
    tracker.clear()
    at = to
    if (outcome === 'awaited') turns.yield()
    birth = born
    askedAt = performance.now()
  }

  const shared: OpenStorage = {
    ...storage,
    kind: 'server',
    durability: 'committed',
    degraded: storage.kind === 'memory' ? [] : storage.degraded,
    flush: ship,
    async checkpoint() {
      await ship()
      await storage.checkpoint()
    },
    async close() {
      isOpen = false
      try {
        if (keeps && dirty === null && !isOutdated && at === revisionIn(database))
          left = { birth, database: bytesOf(database) }
      } catch {
        // Too little memory for a copy. The store must close nevertheless, which frees some; the next opening reads the rows.
      }
      await storage.close()
    },
    async destroy() {
      isOpen = false
      await blocks.remove()
      await storage.destroy()
    },
  }
  if (kept !== undefined) fillFrom(kept.database, database)
  await loadLanguagesOf(database, options.languages)
  if (kept === undefined && isEmpty(database)) fillWithSchema(database, options)
  const engine: Engine = createEngineOver(shared, options, embedding, undefined, extensions)

  /** Makes the database equal to the shared rows, in the write queue, so that no write comes between. */
  const pull = async (ports: Ports, store: SqliteStore): Promise<boolean> => {
    if (!isOpen) return false
    const lost = dirty
    const asked = lost === null ? [] : [...lost, ...tracker!.keys()]
    const askedNow = performance.now()
    const pulled = await blocks.pull(at, asked)
    if (pulled.revision < at || isOtherBirth(pulled.settings) || !fits(pulled.settings, engine)) throw outdated()
    birth = birthIn(pulled.settings) ?? birth
    if (lost === null && pulled.revision === at) {
      askedAt = askedNow
      return false
    }
    noteTiers(database, pulled.settings)
    const rows = parseRows(pulled, asked)
    const work = (target: WriteTarget) => applyRows(target, rows, Date.now())
    const committed = await inSteps(ports, store.follow(rows.revision, costOfRows(rows), work))
    tracker!.clear()
    at = pulled.revision
    askedAt = askedNow
    dirty = null
    if (lost !== null) undone++
    // After an undo a revision may have other content than before, so nothing derived may be kept.
    const followed = lost === null ? committed : { ...committed, isStale: true }
    await afterCommit(ports, followed, { erases: committed.removed.length > committed.added.length })
    return true
  }
  let catching: Promise<boolean> | null = null
  const catchUp = () => {
    catching ??= engine.inTurn(pull).finally(() => void (catching = null))
    return catching
  }

  const turns = createTurns(async () => {
    if (!isOpen) return true
    const { revision } = await blocks.head()
    if (revision <= at) return false
    await catchUp()
    return true
  })

  /** Waits until the rows that reads see are shipped. */
  const untilShipped = async () => {
    let patience = 3
    while (isOpen && (dirty !== null || engine.revision() !== at)) {
      if (dirty !== null) await catchUp()
      else if (shipping !== null) await shipping.catch(() => undefined)
      else if (patience-- > 0) await new Promise<void>((resolve) => setTimeout(resolve, 0))
      // A write failed after its commit: an empty job ships the rows that it changed.
      else await engine.inTurn(() => undefined).catch(() => undefined)
    }
  }

  const refresh = async () => {
    await untilShipped()
    if (performance.now() - askedAt < staleMs) return
    const known = at
    const askedNow = performance.now()
    const head = await blocks.head()
    if (head.revision < known || isOtherBirth(head.settings)) throw outdated()
    // A pull that runs already may have asked before that revision was written.
    for (let pulls = 0; isOpen && at < head.revision; pulls++) {
      if (pulls === mostPulls) throw outdated()
      await catchUp()
    }
    askedAt = Math.max(askedAt, askedNow)
  }

  const call = async <V extends Method>(
    method: V,
    request: Arguments<V>,
    context: RequestContext,
  ): Promise<Answer<V>> => {
    if (method === 'close' || method === 'destroy') return engine.call(method, request, context)
    const writes = mayWrite(method, request)
    for (let attempt = 1; ; attempt++) {
      if (writes) {
        await untilShipped()
        await turns.mine()
      } else await refresh()
      const before = undone
      try {
        const answer = await engine.call(method, request, context)
        if (writes) return answer
        await untilShipped()
        if (undone === before) return answer
      } catch (error) {
        if (!(error instanceof LostRace)) throw error
        context.signal?.throwIfAborted()
        if (attempt >= mostAttempts) throw tooBusy()
      }
    }
  }

  try {
    tracker = trackChanges(database)
    at = engine.revision()
    await catchUp()
  } catch (error) {
    await shared.close()
    throw error
  }
  return {
    call,
    erase: engine.erase,
    subscribe: engine.subscribe,
    revision: () => at,
    catchUp,
    undone: () => undone,
    isOutdated: () => isOutdated,
    async closeAndKeep(context) {
      keeps = true
      await call('close', {}, context)
      return left
    },
  }
}

function isEmpty(database: Database): boolean {
  return first(database, `SELECT 1 FROM sqlite_schema`, [], () => true) === undefined
}

function revisionIn(database: Database): number {
  return first(database, `SELECT value FROM settings WHERE name = 'revision'`, [], (row) => row.number(0)) ?? 0
}

/** A write was undone, and must be planned again. */
class LostRace extends RecallError {
  constructor(cause?: unknown) {
    super({ code: 'STORE_BUSY', message: 'Another node wrote first. Hint: Repeat the call.', hint: 'Repeat the call.' })
    this.cause = cause
  }
}

function tooBusy() {
  return recallError('STORE_BUSY', `Other nodes wrote first ${mostAttempts} times`, { hint: 'Repeat the call.' })
}

function otherStore(name: string) {
  const hint = 'Open the store again.'
  const message = `The shared store ${JSON.stringify(name)} was restored, deleted or changed by other options. Hint: ${hint}`
  return new RecallError({ code: 'LEADER_LOST', message, hint })
}
