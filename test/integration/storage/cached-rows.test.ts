/** Checks the cache of records and vectors that were read: it is dropped at each commit [W3], counted [M2], and safe from apps. */
import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { planWrite } from '../../../src/core/ingest/plan-write.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { openRecall } from '../../../src/index.ts'
import { atOnce } from '../../../worker/scheduling/steps.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createSqliteStore } from '../../../worker/store/sqlite-store.ts'

async function openStore() {
  const { database } = await openMemory(await initSqlite(), 'cached')
  const store = createSqliteStore(database, { stemmer: 'porter', metadataKeys: [] })
  store.chooseSpace({ name: 'three', dimensions: 3 })
  const put = (id: string, body: string, vector: readonly number[]) => {
    const prepared = {
      record: parseRecord({ id, body }),
      vectors: [Float32Array.from(vector)],
      spans: [[0, body.length] as const],
      vectorsHash: `${body}-${vector}`,
    }
    atOnce(store.commit(planWrite([prepared], store.existing([id]), 1).writes))
    return store.keyOf(id)!
  }
  return { store, put }
}

/** Changes every value inside, and adds to every list. */
function changeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object' && part !== null) changeAll(part)
    else Object.assign(value, { [name]: 'changed' })
  }
  if (Array.isArray(value)) value.push('changed')
}

describe('records and vectors that were read', () => {
  test('[W3] are dropped when any record changes, and gone when their record is forgotten', async () => {
    const { store, put } = await openStore()
    const key = put('a', 'the secret', [1, 0, 0])
    const [record, vectors] = [store.cached.hydrate(key), store.cached.vectorsOf(key)]
    expect(record?.body).toBe('the secret')
    expect(vectors.map((vector) => [...vector])).toEqual([[1, 0, 0]])
    // Control: both are kept until then.
    expect(store.cached.hydrate(key)).toBe(record)
    expect(store.cached.vectorsOf(key)).toBe(vectors)

    put('b', 'another', [0, 1, 0])
    expect(store.cached.hydrate(key)).not.toBe(record)
    expect(store.cached.hydrate(key)).toEqual(record)
    expect(store.cached.vectorsOf(key)).not.toBe(vectors)

    atOnce(store.forget(['a'], 2))
    expect(store.cached.hydrate(key)).toBeUndefined()
    expect(store.cached.vectorsOf(key)).toEqual([])
  })

  test('are dropped when rows are repaired', async () => {
    const { store, put } = await openStore()
    const key = put('a', 'text', [1, 0, 0])
    for (const part of ['fts', 'vectors', 'derived'] as const) {
      const record = store.cached.hydrate(key)
      atOnce(store.repair(part))
      expect(store.cached.hydrate(key), part).not.toBe(record)
    }
  })

  test('are those of the chosen space', async () => {
    const { store, put } = await openStore()
    const key = put('a', 'text', [1, 0, 0])
    expect(store.cached.vectorsOf(key)).toHaveLength(1)
    store.chooseSpace({ name: 'other', dimensions: 3 })
    expect(store.cached.vectorsOf(key)).toEqual([])
  })

  test('[M2] are counted', async () => {
    const { store, put } = await openStore()
    const key = put('a', 'x'.repeat(100_000), [1, 0, 0])
    const before = store.cacheBytes()
    store.cached.hydrate(key)
    expect(store.cacheBytes() - before).toBeGreaterThan(200_000)
    expect(store.cacheBytes() - before).toBeLessThan(210_000)
    put('b', 'small', [0, 1, 0])
    expect(store.cacheBytes() - before).toBeLessThan(10_000)
  })

  test('keep their values when an app changes an answer that it got', async () => {
    const recall = await openRecall({ name: 'cached-rows', embedder: null, now: () => 1_000 })
    await recall.put([
      {
        id: 'a',
        body: 'the dam at the lake',
        tags: ['water'],
        files: [{ path: 'lake.md' }],
        relations: [{ kind: 'near', target: 'b' }],
        metadata: { depth: { metres: 3 } },
      },
    ])
    const captured = async () => (await recall.recall({ text: 'lake', capture: true })).facts as CapturedFacts
    const answers = {
      recall: async () => (await recall.recall({ text: 'lake' })).hits[0]!.record,
      assemble: async () => (await recall.assemble({ text: 'lake', maxItems: 1 })).records[0],
      capture: async () => (await captured()).facts.records.get(0),
    }
    for (const ask of Object.values(answers)) {
      const first = await ask()
      const copy = structuredClone(first)
      changeAll(first)
      expect(first).not.toEqual(copy)
      expect(await ask()).toEqual(copy)
    }
    await recall.close()
  })
})
