/**
 * Holds everything that derives from the stored rows: the store's tables in memory, the vector index, its graph, and buffers that
 * recalls share. After a rewind or a failed update it is stale, and rebuilt before its next use.
 */
import { createLexicalScorer } from '../../src/core/lexical/bm25.ts'
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { builtInSpace } from '../../src/protocol/embedder.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../src/protocol/events.ts'
import { loadKernel } from '../kernel/load-kernel.ts'
import { createKeyRows } from '../retrieval/question/key-rows.ts'
import type { WriteQueue } from '../scheduling/write-queue.ts'
import { typedMemoryError } from '../sqlite/sqlite-database.ts'
import { checkAcknowledged } from '../storage/common/acknowledged.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import type { RequestedSettings } from '../store/apply-settings.ts'
import { createSqliteStore, type SqliteStore } from '../store/sqlite-store.ts'
import { createExactIndex } from '../vector/exact/exact.ts'
import { type Acceleration, accelerate, wantsGraph } from '../vector/hnsw/accelerate.ts'
import { joinIndexes } from '../vector/mixed.ts'
import type { VectorIndex } from '../vector/port.ts'
import { fillIndex } from './fill-index.ts'

export interface DerivedSource {
  readonly storage: OpenStorage
  readonly options: EngineOptions
  readonly authority: ResolvedAuthority | null
  /** The bytes of the kernel; undefined: the kernel inside the bundle. */
  readonly kernel: BufferSource | undefined
  readonly writeQueue: WriteQueue
  /** Read at each rebuild. */
  readonly settings: () => RequestedSettings
  readonly emit: (event: EngineEvent) => void
}

export interface DerivedState {
  /** The state, rebuilt if it is stale. Throws if that fails; the next call tries again. */
  current(): Derived
  /** The state as last built, even if it is stale. */
  latest(): Derived
  isStale(): boolean
  invalidate(): void
}

export type Derived = ReturnType<typeof derive>

export function createDerivedState(source: DerivedSource): DerivedState {
  let derived = derive(source)
  let isStale = false
  const invalidate = () => {
    isStale = true
    derived.acceleration?.stop('discarding')
  }
  try {
    checkAcknowledged(source.storage, derived.store.revision())
  } catch (error) {
    invalidate()
    derived.store.close()
    throw error
  }
  source.storage.onRewind?.(invalidate)
  return {
    current() {
      if (!isStale) return derived
      derived.store.close()
      derived = derive(source)
      isStale = false
      return derived
    },
    latest: () => derived,
    isStale: () => isStale,
    invalidate,
  }
}

function derive(source: DerivedSource) {
  const { storage, authority, settings } = source
  const store = createSqliteStore(
    storage.database,
    settings(),
    authority,
    storage.openReader,
    storage.identity?.() ?? null,
  )
  try {
    const index = openIndex(store, source)
    const standIn = openStandIn(store, source)
    const acceleration = index === null ? null : openAcceleration(index, store, source)
    return {
      store,
      index,
      acceleration,
      searched:
        index === null || standIn === null
          ? null
          : joinIndexes(
              { name: source.options.space!.name, index: () => acceleration?.index() ?? index },
              { name: builtInSpace.name, index: () => standIn },
            ),
      scorer: createLexicalScorer(),
      completeScorer: createLexicalScorer(),
      rows: createKeyRows(),
    }
  } catch (error) {
    store.close()
    throw typedMemoryError(storage.database.sqlite3, error)
  }
}

/** Indexes the vectors of the chosen space only. Vectors of other spaces than it and its stand-in stay in the store, unread [V4]. */
function openIndex(store: SqliteStore, { options: { space, standIn }, kernel }: DerivedSource): VectorIndex | null {
  if (space === null) return null
  store.chooseSpace(space, standIn === undefined ? undefined : builtInSpace)
  const index = createExactIndex(loadKernel(kernel), space.dimensions)
  fillIndex(index, store)
  return index
}

/** Indexes stand-in vectors; null without any. */
function openStandIn(store: SqliteStore, { options: { standIn }, kernel }: DerivedSource): VectorIndex | null {
  if (standIn === undefined) return null
  const index = createExactIndex(loadKernel(kernel), builtInSpace.dimensions)
  fillIndex(index, store, 'standIn')
  return index
}

/** Null if the store is searched without a graph. */
function openAcceleration(
  exact: VectorIndex,
  store: SqliteStore,
  { options: { index, space }, storage, writeQueue, emit }: DerivedSource,
): Acceleration | null {
  if (space === null || !wantsGraph(index, exact.rows())) return null
  return accelerate({
    exact,
    space: space.name,
    revision: store.revision,
    keysById: store.keysById,
    vectorsOf: store.vectorsOf,
    isKept: storage.durability !== 'memory',
    readGraph: store.readGraph,
    writeGraph: store.writeGraph,
    inTurn: writeQueue.write,
    tell: (done, total) => emit({ type: 'progress', operation: 'index', done, total }),
  })
}
