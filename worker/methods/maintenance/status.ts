/** status: reports the store's content, storage, indexes and every degradation [P2]. */
import { isFarAhead, startClock } from '../../../src/core/merge/stamp.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { EmbeddingStatus, Status } from '../../../src/core/model/status.ts'
import { failureLines } from '../../../src/protocol/guarded-embedder.ts'
import { packageVersion } from '../../../src/protocol/version.ts'
import { vectorNotes } from '../../retrieval/channels/vector-notes.ts'
import type { Ports } from '../common/ports.ts'

/** Above this share of the quota, the eviction risk counts as high. */
const crowdedShare = 0.8

/** `now`: the time of the call (ms). */
export async function status(ports: Ports, now: number): Promise<Status> {
  const { options, store, storage, index, acceleration } = ports
  const usage = await storage.usage()
  const space = store.space()
  const revision = store.revision()
  const { current, otherSpaces } = store.vectorCounts()
  return {
    name: options.name,
    backend: storage.kind,
    durability: storage.durability,
    persisted: usage.persisted,
    quotaBytes: usage.quotaBytes,
    usageBytes: usage.usageBytes,
    evictionRisk: storage.kind === 'memory' ? 'certain' : evictionRisk(usage),
    role: 'leader',
    revision,
    records: store.statistics(null).records,
    vectors: {
      space: space?.name ?? null,
      dimensions: space?.dimensions ?? null,
      current,
      otherSpaces,
      pending: store.pendingVectors(),
    },
    embedding: space === null ? null : { space: space.name, ...coverage(store), perSecond: null },
    history: historyOf(store),
    settings: store.settings,
    indexes: {
      fts: { state: 'ready', revision, kind: store.postingsMode() },
      vector: { ...vectorState(index, acceleration), revision },
    },
    memoryBytes: {
      vectors: index?.bytes() ?? 0,
      postings: store.cacheBytes(),
      sqlite: store.databaseBytes(),
      embedder: ports.tableBytes(),
    },
    runtime: options.runtime,
    version: packageVersion,
    degraded: [
      ...storage.degraded,
      ...store.degraded(),
      ...clockProblems(store.clock(), now),
      ...(acceleration?.problems() ?? []),
      ...vectorProblems(ports),
    ],
  }
}

function historyOf({ history }: Ports['store']): Status['history'] {
  if (history === null) return null
  return { since: history.since <= -tuning.maxTimestampMs ? null : history.since, ...history.counts() }
}

function coverage(store: Ports['store']): Pick<EmbeddingStatus, 'done' | 'of'> {
  const { pending, kept, otherSpaces, none } = store.lacking()
  const of = store.statistics(null).records - kept - none
  return { done: of - pending - otherSpaces, of }
}

function clockProblems(clock: number, now: number): readonly string[] {
  if (!isFarAhead({ at: clock, count: 0, device: '' }, startClock(''), now)) return []
  const days = Math.floor((clock - Math.floor(now)) / tuning.msPerDay)
  return [
    `a device whose changes are stored here had a clock ${days} days ahead: its changes win over those that are made without knowledge of them`,
  ]
}

function vectorProblems({ store, options, embedding, catchUp }: Ports): readonly string[] {
  const problem = store.pendingVectors() > 0 ? (catchUp?.problem() ?? null) : null
  return [...(embedding === null ? [] : failureLines(embedding, problem)), ...vectorNotes(store, options)]
}

function vectorState(index: Ports['index'], acceleration: Ports['acceleration']) {
  if (index === null) return { state: 'absent', kind: 'none' } as const
  const state = acceleration?.state() ?? 'failed'
  return state === 'failed' ? ({ state: 'ready', kind: 'exact' } as const) : { state, kind: 'hnsw' }
}

function evictionRisk({ persisted, quotaBytes, usageBytes }: Awaited<ReturnType<Ports['storage']['usage']>>) {
  if (persisted === true) return 'none'
  // The platform does not report persistence.
  if (persisted === null) return 'high'
  return quotaBytes !== null && usageBytes !== null && usageBytes > crowdedShare * quotaBytes ? 'high' : 'low'
}
