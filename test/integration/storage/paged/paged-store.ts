/** Engines over pages in memory, and a script of writes with its progress. */
import type { EngineOptions } from '../../../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../../../src/protocol/events.ts'
import { createEngineOver, type Engine } from '../../../../worker/engine/engine.ts'
import { first } from '../../../../worker/sqlite/database.ts'
import type { LogLimits } from '../../../../worker/storage/indexeddb/page-log.ts'
import { createRandom } from '../../../support/data/random.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import type { MemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../../support/stores/open-paged.ts'

export const options: EngineOptions = {
  ...engineOptions,
  name: 'paged',
  storage: 'indexeddb',
  runtime: 'worker',
  space: { name: 'eight', dimensions: 8 },
}
/** ms; each test opens a database for every write of a script. */
export const slow = 120_000
export const context = { now: Date.UTC(2026, 0, 1) }

export interface Opened {
  readonly engine: Engine
  readonly events: EngineEvent[]
  put(...ids: readonly string[]): Promise<void>
  forget(id: string): Promise<void>
  ids(): Promise<readonly string[]>
  /** Null, or what is wrong inside. */
  fault(): Promise<string | null>
  close(): Promise<void>
}

export async function open(bytes: MemoryByteStore, limits: LogLimits = shortLimits): Promise<Opened> {
  const storage = await openPaged(bytes, limits)
  const engine = createEngineOver(storage, options, null)
  await storage.flush?.()
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  const ids = async () =>
    (await engine.call('list', { filter: { limit: 1000 } }, context)).items.map(({ id }) => id).toSorted()
  return {
    engine,
    events,
    put: async (...given) => void (await engine.call('put', { batch: given.map(recordOf) }, context)),
    forget: async (id) => void (await engine.call('forget', { ids: [id] }, context)),
    ids,
    async fault() {
      const integrity = first(storage.database, 'PRAGMA integrity_check', [], (row) => row.text(0))
      if (integrity !== 'ok') return integrity ?? 'no answer'
      storage.database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('integrity-check', 1)`)
      for (const id of await ids()) {
        const byText = await engine.call('recall', { query: { text: `canary${id}`, limit: 1 } }, context)
        const byVector = await engine.call('recall', { query: { vector: vectorOf(id), limit: 1 } }, context)
        if (byText.hits[0]?.id !== id || byVector.hits[0]?.id !== id) return `${id} is not found`
      }
      return null
    },
    close: async () => void (await engine.call('close', {}, context)),
  }
}

export function recordOf(id: string) {
  return { id, title: `record ${id}`, body: `canary${id} `.repeat(40), vectors: vectorOf(id) }
}

function vectorOf(id: string): Float32Array {
  const random = createRandom([...id].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7))
  return Float32Array.from({ length: 8 }, () => random.next() - 0.5)
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
