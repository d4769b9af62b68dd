/**
 * Checks that long transactions run in steps: reads run between them and see the state before the commit, and an abort
 * or a failure on the way leaves nothing. Runs on every storage that works in Node.
 */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { connect } from '../../support/scripted-engine.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged } from '../../support/stores/open-paged.ts'

const records = (count: number, body = 'text'): RecordInput[] =>
  Array.from({ length: count }, (_, i) => ({ id: `r${String(i).padStart(5, '0')}`, body: `${body} number ${i}` }))

const storages: Readonly<Record<string, () => Promise<OpenStorage>>> = {
  memory: async () => openMemory(await initSqlite(), 'long'),
  paged: () => openPaged(createMemoryByteStore()),
}

async function openOn(storage: OpenStorage) {
  const engine = createEngineOver(storage, engineOptions, null)
  const { recall } = await connect(engine)
  return { engine, recall, storage }
}

/**
 * Asks one question after another while something runs: the figures that each saw, without those answered after its
 * end.
 */
async function watch(work: Promise<unknown>, ask: () => Promise<number>): Promise<readonly number[]> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const seen: number[] = []
  while (!isDone) {
    const figure = await ask()
    if (!isDone) seen.push(figure)
  }
  await done
  return seen
}

/** An export of these records. */
async function exported(batch: readonly RecordInput[]): Promise<Blob> {
  const { recall } = await openOn(await openMemory(await initSqlite(), 'source'))
  await recall.put(batch)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of recall.exportTo()) parts.push(part as Uint8Array<ArrayBuffer>)
  return new Blob(parts)
}

describe.each(Object.entries(storages))('a long transaction in %s', (_kind, open) => {
  it('[Q5] recalls run between the steps of an atomic put and see none of it', async () => {
    const { recall } = await openOn(await open())
    await recall.put(records(400, 'old'))
    const seen = await watch(recall.put(records(700, 'new'), { atomic: true }), async () => {
      const { hits, plan } = await recall.recall({ text: 'new number', limit: 1 })
      // A row of the new text in an answer to the old words would be half of the transaction.
      expect(hits.every(({ record }) => record.body?.startsWith(plan.scope === 400 ? 'old' : 'new'))).toBe(true)
      return plan.scope
    })
    // More than run while the records are parsed; the control counts those.
    expect(seen.length).toBeGreaterThan(25)
    expect(new Set(seen.slice(0, -1))).toEqual(new Set([400]))
    expect((await recall.recall('new')).plan.scope).toBe(700)
    expect((await recall.integrityCheck()).ok).toBe(true)
  })

  it('[Q5] an atomic put reports progress before its transaction, too, so that slow reading of its records meets no deadline', async () => {
    const { recall, engine } = await openOn(await open())
    const done: number[] = []
    engine.subscribe((event) => {
      if (event.type !== 'progress') return
      expect(event).toMatchObject({ operation: 'put', total: 700 })
      done.push(event.done)
    })
    await recall.put(records(700), { atomic: true })
    // At most 64 records are read between two reports.
    expect(done.filter((count) => count === 0).length).toBeGreaterThanOrEqual(Math.floor(700 / 64))
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBeGreaterThan(0)
  })

  it('[Q5] control: without a second connection nothing runs between the steps of the transaction', async () => {
    const { openReader: _none, ...storage } = await open()
    const { recall } = await openOn(storage)
    await recall.put(records(200, 'old'))
    const seen = await watch(recall.put(records(600, 'new'), { atomic: true }), () => recall.count())
    // While 600 records are parsed, 64 at a time.
    expect(seen.length).toBeLessThanOrEqual(13)
  })

  it.each(['merge', 'replace'] as const)(
    '[Q5][X1] an import by %s is applied completely, with reads between its steps',
    async (mode) => {
      const file = await exported(records(700, 'new'))
      const { recall, engine } = await openOn(await open())
      await recall.put([...records(400, 'old'), { id: 'own', body: 'own' }])
      const before = (await recall.status()).revision
      const progress: EngineEvent[] = []
      engine.subscribe((event) => event.type === 'progress' && progress.push(event))
      const seen = await watch(recall.importFrom(file, { mode }), async () => {
        const found = await recall.count()
        expect((await recall.status()).revision).toBeLessThanOrEqual(before + 1)
        return found
      })
      expect(new Set(seen.slice(0, -1))).toEqual(new Set([401]))
      expect(seen.length).toBeGreaterThan(3)
      expect(progress.length).toBeGreaterThan(3)
      expect(await recall.count()).toBe(mode === 'merge' ? 701 : 700)
      // A record that is forgotten later leaves the text index, too.
      await recall.forget(['r00000', 'r00699'])
      expect((await recall.integrityCheck()).ok).toBe(true)
    },
  )

  it('[Q5][X1] an import that is aborted between two steps leaves every row unchanged', async () => {
    const file = await exported(records(700, 'new'))
    const { recall, engine, storage } = await openOn(await open())
    await recall.put(records(400, 'old'))
    const before = dump(storage.database)
    const controller = new AbortController()
    let reports = 0
    engine.subscribe(({ type }) => {
      if (type === 'progress' && ++reports === 6) controller.abort()
    })
    await expect(recall.importFrom(file, { mode: 'replace' }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    // Next in the queue: the aborted import is undone by now.
    await recall.forget('none')
    expect(dump(storage.database)).toBe(before)
    expect((await recall.recall({ text: 'old number', limit: 1 })).plan.scope).toBe(400)
    await recall.forget(['r00000', 'r00399'])
    expect((await recall.integrityCheck()).ok).toBe(true)
  })

  it('[Q5] an export that began before goes on during an import, and contains the earlier state', async () => {
    const file = await exported(records(700, 'new'))
    const { recall } = await openOn(await open())
    const long = 'x '.repeat(1_000)
    await recall.put(records(400, `old ${long}`))
    const bytes: Uint8Array[] = []
    const parts = recall.exportTo()[Symbol.asyncIterator]()
    bytes.push((await parts.next()).value)
    await watch(recall.importFrom(file, { mode: 'replace' }), async () => {
      const { value, done } = await parts.next()
      if (done) await new Promise((resolve) => setTimeout(resolve))
      else bytes.push(value)
      return 0
    })
    for (let next = await parts.next(); !next.done; next = await parts.next()) bytes.push(next.value)
    const other = await openOn(await open())
    await other.recall.importFrom(new Blob(bytes as BlobPart[]), { mode: 'replace' })
    const bodies = (await other.recall.list({ limit: 1_000 })).items.map(({ body }) => body?.slice(0, 3))
    expect(bodies).toEqual(Array.from({ length: 400 }, () => 'old'))
  })
})

it('[W3][X1] an import that replaces leaves no byte of the replaced texts, nor of their words in the text index', async () => {
  const storage = await openMemory(await initSqlite(), 'replaced')
  const { recall } = await openOn(storage)
  const canary = 'zanzibarquokka'
  const held = () => {
    const { sqlite3, pointer } = storage.database
    return Buffer.from(sqlite3.capi.sqlite3_js_db_export(pointer)).includes(canary)
  }
  await recall.put(records(300, `${canary} old`))
  expect(held()).toBe(true)
  await recall.importFrom(await exported(records(200, 'new')), { mode: 'replace' })
  expect(held()).toBe(false)
})

describe('forgetting many', () => {
  it('[Q5][W3] by ids and by scope: in slices, each erased before the next, writes between them', async () => {
    const { recall } = await openOn(await openMemory(await initSqlite(), 'forget'))
    await recall.put([
      ...records(1_300),
      ...records(1_100, 'tagged').map((record) => ({ ...record, id: `t${record.id}`, tags: ['t'] })),
    ])
    const ids = records(1_300).map(({ id }) => id!)
    let own = 0
    const seen = await watch(recall.forget([...ids, 'none', ids[0]!]), async () => {
      if (own === 0) await recall.put({ id: 'own', body: 'own' })
      own = 1
      return (await recall.count()) - own
    })
    for (const stored of seen) expect([2_400, 1_900, 1_400, 1_100]).toContain(stored)
    expect(new Set(seen).size).toBeGreaterThan(1)
    const receipt = await recall.forget([...ids, 'none'])
    expect(receipt).toMatchObject({ forgotten: [], missing: [...ids, 'none'] })
    const byScope = await recall.forget({ tags: { any: ['t'] } })
    expect(byScope.forgotten).toEqual(ids.slice(0, 1_100).map((id) => `t${id}`))
    expect(await recall.count()).toBe(1)
    expect(await recall.verifyForgotten(ids[700]!)).toMatchObject({ clean: true })
  })

  it('[T2] a retried slice of a scope answers the same, and does not take the next slice', async () => {
    const { engine, recall } = await openOn(await openMemory(await initSqlite(), 'again'))
    await recall.put(records(30))
    const ask = () =>
      engine.call('forget', { scope: { time: { after: 0 } }, limit: 10 }, { now: 1, operation: 'slice' })
    const first = await ask()
    expect(first).toMatchObject({ isLast: false })
    expect(first.forgotten).toHaveLength(10)
    expect(await ask()).toEqual(first)
    expect(await recall.count()).toBe(20)
  })

  it('[Q5] retain forgets in slices, and the receipt lists all of them', async () => {
    const storage = await openMemory(await initSqlite(), 'retain')
    await createEngineOver(storage, engineOptions, null).call('put', { batch: records(1_250) }, { now: 1 })
    const { recall } = await connect(
      createEngineOver(storage, { ...engineOptions, retention: { maxRecords: 100 } }, null),
    )
    const { records: gone, dryRun } = await recall.retain()
    expect(dryRun).toBe(false)
    expect(gone).toHaveLength(1_150)
    expect(gone.map(({ id }) => id)).toEqual(gone.map(({ id }) => id).toSorted())
    expect(await recall.count()).toBe(100)
  })
})
