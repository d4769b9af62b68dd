/**
 * Tests `index: 'hnsw'` in the whole engine: exact while the graph is built, then approximate and reported as such;
 * deleted records never appear; the saved graph is used only if it fits; after a fault answers are exact and status
 * says so.
 */
import { afterEach, expect, test, vi } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { Progress } from '../../../src/protocol/events.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { accelerate, exactUpTo, wantsGraph } from '../../../worker/vector/hnsw/accelerate.ts'
import { createRandom } from '../../support/data/random.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { asHandedOn, startOfTime, type TestEngine } from '../../support/stores/open-engine.ts'
import { openPaged } from '../../support/stores/open-paged.ts'
import { emptyIndex } from '../../unit/vector/vector-fixture.ts'

const dimensions = 24
const count = 600
const random = createRandom(17)
const centres = Array.from({ length: 12 }, () => random.vector(dimensions))
const near = (i: number) => {
  const noise = random.vector(dimensions)
  return centres[i % 12]!.map((component, at) => component + 0.7 * noise[at]!)
}
const records = Array.from({ length: count }, (_, i) => ({
  id: `r${String(i).padStart(4, '0')}`,
  body: `text ${i}`,
  tags: i % 3 === 0 ? ['third'] : [],
  vectors: near(i),
}))
const queries = Array.from({ length: 40 }, (_, i) => near(i))

interface Opened extends TestEngine {
  readonly database: SqliteDatabase
  /** Reported progress of the graph. */
  readonly told: Progress[]
  ask(query: RecallQuery): ReturnType<typeof ask>
  ready(): Promise<void>
}

async function open(
  bytes: MemoryByteStore = createMemoryByteStore(),
  changed: Partial<EngineOptions> = {},
): Promise<Opened> {
  const storage = await openPaged(bytes)
  const engine = createEngineOver(storage, { ...options, ...changed }, null)
  const told: Progress[] = []
  engine.subscribe((event) => {
    if (event.type === 'progress' && event.operation === 'index') told.push(event)
  })
  const call: TestEngine['call'] = async (method, request, now = startOfTime) =>
    asHandedOn(method, await engine.call(method, request, { now }))
  return {
    engine,
    call,
    database: storage.database,
    told,
    ask: (query) => ask(call, query),
    ready: () =>
      expect.poll(async () => (await call('status', {})).indexes.vector.state, { timeout: 110_000 }).toBe('ready'),
  }
}

async function ask(call: TestEngine['call'], query: RecallQuery) {
  const result = await call('recall', { query: { collapse: 'none', ...query } })
  return { ...result, ids: result.hits.map(({ id }) => id), channel: result.plan.channels.vector }
}

const options: EngineOptions = {
  ...engineOptions,
  name: 'graph',
  storage: 'indexeddb',
  runtime: 'inline',
  index: 'hnsw',
  space: { name: 'mine', dimensions },
}

afterEach(() => void vi.useRealTimers())

test('[V1] [V2] answers exactly while the graph is built, then as its plan says; a scope or the exact option is always exact', async () => {
  const [graph, exact] = [await open(), await open(createMemoryByteStore(), { index: 'exact' })]
  // Building begins with a timer, which waits here until the first questions are answered.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (const { call } of [exact, graph]) await call('put', { batch: records })
  const first = queries[0] as Float32Array
  expect((await graph.ask({ vector: first })).channel).toMatchObject({ mode: 'exact', complete: true })
  expect((await graph.call('status', {})).indexes.vector).toMatchObject({ state: 'building', kind: 'hnsw' })
  expect((await graph.ask({ vector: first })).ids).toEqual((await exact.ask({ vector: first })).ids)
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  await graph.ready()
  expect((await graph.call('status', {})).indexes.vector).toMatchObject({ state: 'ready', kind: 'hnsw' })
  // The graph answers before its last points are in it.
  await expect
    .poll(() => graph.told.at(-1), { timeout: 110_000 })
    .toEqual({ type: 'progress', operation: 'index', done: count, total: count })
  expect(graph.told.length).toBeGreaterThan(2)
  let found = 0
  for (const [i, vector] of queries.entries()) {
    const [near, whole] = [await graph.ask({ vector }), await exact.ask({ vector })]
    expect(near.channel).toMatchObject({ mode: 'hnsw', complete: false, matched: count })
    expect(near.channel.scanned).toBeLessThan(count)
    expect(whole.channel).toMatchObject({ mode: 'exact', complete: true, scanned: count })
    found += near.ids.filter((id) => whole.ids.includes(id)).length
    expect(near.evidence.topCosine).toBe(whole.evidence.topCosine)
    for (const hit of near.hits) {
      const same = whole.hits.find(({ id }) => id === hit.id)
      if (same !== undefined) expect(hit.score).toBeCloseTo(same.score, 9)
    }
    if (i < 8)
      for (const query of [
        { vector, exact: true },
        { vector, scope: { tags: { any: ['third'] } } },
        { vector, files: ['x.ts'] },
      ])
        expect((await graph.ask(query)).ids).toEqual((await exact.ask(query)).ids)
  }
  expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98)
  expect((await graph.ask({ vector: first, scope: { tags: { any: ['third'] } } })).channel).toMatchObject({
    mode: 'exact-tag',
    complete: true,
  })
  expect((await graph.ask({ vector: first, exact: true })).channel).toMatchObject({ mode: 'exact', complete: true })
  expect((await graph.call('integrityCheck', {})).ok).toBe(true)
  // A record that the graph did not propose is not reported as beyond a depth that includes it.
  const far = (await exact.ask({ vector: first, limit: count })).ids.at(400)!
  const { stage, reason } = await graph.call('why', { query: { vector: first }, id: far })
  expect([stage, reason]).toEqual(['found', expect.stringMatching(/vector rank 40\d, not proposed by the HNSW index/)])
})

test('[W3] changed and forgotten records are never found in their old form; only the ledger names gated ones', async () => {
  const { call, ask, ready } = await open()
  await call('put', { batch: records })
  await ready()
  const vector = queries[1] as Float32Array
  const [first, second, third, fourth] = (await ask({ vector })).ids as [string, string, string, string]
  await call('forget', { ids: [first] })
  await call('put', {
    batch: [
      { id: second, body: 'elsewhere', vectors: vector.map((component, at) => (at === 0 ? component : -component)) },
    ],
  })
  await call('patch', { id: third, fields: { status: 'superseded' } })
  await call('put', { batch: [{ id: 'new', body: 'as near as can be', vectors: vector }] })
  const after = await ask({ vector, ledger: true })
  expect(after.channel.mode).toBe('hnsw')
  expect(after.ids[0]).toBe('new')
  expect(after.ids).toContain(fourth)
  for (const gone of [first, second, third]) expect(after.ids).not.toContain(gone)
  expect(after.ledger.find(({ id }) => id === third)?.stage).toBe('gate')
  expect(await call('verifyForgotten', { id: first })).toMatchObject({ clean: true })
  // More than a fifth of what is left: the graph is rebuilt, and meanwhile no record is missing.
  await call('forget', { ids: records.slice(0, 200).map(({ id }) => id) })
  const gone = new Set(records.slice(0, 200).map(({ id }) => id))
  for (const query of queries) for (const id of (await ask({ vector: query })).ids) expect(gone.has(id)).toBe(false)
  await ready()
  for (const query of queries) for (const id of (await ask({ vector: query })).ids) expect(gone.has(id)).toBe(false)
})

test('[V3] a rebuilt graph is the same for the same records after any history', async () => {
  const [straight, crooked] = [await open(), await open()]
  await straight.call('put', { batch: records })
  await crooked.call('put', {
    batch: createRandom(4)
      .shuffled(records)
      .map((record) => ({ ...record, vectors: record.vectors.toReversed() })),
  })
  await crooked.call('put', { batch: [{ id: 'gone', body: 'gone', vectors: near(3) }] })
  await crooked.ready()
  await crooked.call('put', { batch: createRandom(5).shuffled(records) })
  await crooked.call('forget', { ids: ['gone'] })
  const asked = async ({ ask }: Opened) => {
    const answers: unknown[] = []
    for (const vector of queries) {
      const { ids, hits, channel } = await ask({ vector, limit: 100 })
      expect(channel.mode).toBe('hnsw')
      answers.push([ids, hits.map(({ score }) => score)])
    }
    return answers
  }
  const answers: unknown[][] = []
  for (const opened of [straight, crooked, straight]) {
    await opened.call('compact', {})
    await opened.ready()
    answers.push(await asked(opened))
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
})

test('[V3] the graph is saved at the end, loaded if nothing changed, and rebuilt if anything did', async () => {
  // Filled before the graph exists: a graph of an empty store is ready at once.
  const bytes = createMemoryByteStore()
  const filled = await open(bytes, { index: 'exact' })
  await filled.call('put', { batch: records })
  await filled.call('close', {})
  const firstTime = await open(bytes)
  await firstTime.ready()
  await firstTime.call('put', { batch: [{ id: 'late', body: 'late', vectors: queries[5] as Float32Array }] })
  await firstTime.call('forget', { ids: ['r0007'] })
  await firstTime.call('close', {})
  const again = async (changed: Partial<EngineOptions> = {}) => {
    const opened = await open(bytes, changed)
    if (changed.index === undefined) await opened.ready()
    return opened
  }
  const answers = async ({ ask }: Opened) => {
    const ids: unknown[] = []
    for (const vector of queries) ids.push((await ask({ vector })).ids)
    return ids
  }

  const second = await again()
  expect(second.told).toEqual([])
  expect((await second.ask({ vector: queries[5] as Float32Array })).ids[0]).toBe('late')
  expect((await second.ask({ vector: queries[5] as Float32Array })).channel.mode).toBe('hnsw')
  const known = await answers(second)
  expect(known.flat()).not.toContain('r0007')
  await second.call('close', {})

  // Written by an engine without a graph: another revision.
  const between = await again({ index: 'exact' })
  await between.call('put', { batch: [{ id: 'between', body: 'between', vectors: queries[6] as Float32Array }] })
  await between.call('forget', { ids: ['late'] })
  await between.call('close', {})
  const third = await again()
  expect(third.told.at(-1)).toMatchObject({ done: count })
  expect((await third.ask({ vector: queries[6] as Float32Array })).ids[0]).toBe('between')
  expect((await third.ask({ vector: queries[5] as Float32Array })).ids).not.toContain('late')
  await third.call('close', {})

  // One byte of it differs.
  const spoiling = await again({ index: 'exact' })
  spoiling.database.execute(
    `UPDATE vector_graph SET bytes = CAST(substr(bytes, 1, 3000) || x'ff' || substr(bytes, 3002) AS BLOB)`,
  )
  await spoiling.call('close', {})
  const fourth = await again()
  expect(fourth.told.length).toBeGreaterThan(0)
  expect((await fourth.ask({ vector: queries[6] as Float32Array })).ids[0]).toBe('between')
  expect((await fourth.call('status', {})).degraded).toEqual([])
  await fourth.call('close', {})
})

test('[P2] status() reports why the graph does not work, and answers are exact', async () => {
  const exact = emptyIndex(dimensions)
  const host = {
    exact,
    space: 'mine',
    revision: () => 0,
    keysById: () => new Uint32Array(),
    vectorsOf: () => undefined,
    isKept: false,
    readGraph: () => null,
    writeGraph: () => undefined,
    inTurn: async (job: () => void) => job(),
    tell: () => undefined,
  }
  const unloadable = accelerate(host, () => Promise.reject(new Error('refused by the policy')))
  await expect.poll(unloadable.state).toBe('failed')
  expect(unloadable.problems()).toEqual(['vectors are searched without the HNSW index: refused by the policy'])
  expect(unloadable.index()).toBe(exact)

  const bytes = createMemoryByteStore()
  const filled = await open(bytes, { index: 'exact' })
  await filled.call('put', { batch: records })
  // A record whose code lost its vector cannot enter the graph.
  filled.database.execute(
    `DELETE FROM vectors WHERE slot IN (SELECT slot FROM vectors ORDER BY slot LIMIT 1 OFFSET 300)`,
  )
  await filled.call('close', {})
  const { call, ask, ready } = await open(bytes)
  await ready()
  const { indexes, degraded } = await call('status', {})
  expect(indexes.vector).toMatchObject({ state: 'ready', kind: 'exact' })
  expect(degraded).toEqual([expect.stringMatching(/without the HNSW index: the store has no vector of record/)])
  expect((await ask({ text: 'text 5' })).plan.channels.lexical.ran).toBe(true)
})

test('auto uses it only beyond the crossover', async () => {
  expect([exactUpTo, wantsGraph('auto', exactUpTo), wantsGraph('auto', exactUpTo + 1)]).toEqual([300_000, false, true])
  expect([wantsGraph('hnsw', 0), wantsGraph('exact', exactUpTo + 1)]).toEqual([true, false])
  const { call, ask } = await open(createMemoryByteStore(), { index: 'auto' })
  await call('put', { batch: records })
  expect((await call('status', {})).indexes.vector).toMatchObject({ state: 'ready', kind: 'exact' })
  expect((await ask({ vector: queries[0] as Float32Array })).channel.mode).toBe('exact')
})
