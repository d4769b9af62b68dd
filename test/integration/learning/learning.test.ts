/**
 * Tests what the learning methods write: outcomes, links, predictions, proposals, the log; each call writes all or
 * nothing.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Receipt } from '../../../src/core/model/result.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { all, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createSqliteStore } from '../../../worker/store/sqlite-store.ts'
import { engineOptionsInWorker } from '../../support/scripted-engine.ts'
import { dump, totalChanges } from '../../support/stores/dump.ts'
import { createFaultyDatabase } from '../../support/stores/faulty-database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const minute = 60_000
const day = 86_400_000
const now = startOfTime + day
const daily = { periodSeconds: 86_400, amplitude: 1, phaseSeconds: 0 }
const batch: readonly RecordInput[] = [
  { id: 'a', body: 'the dam at the lake', cycles: [daily], pressureRate: 0.5 },
  { id: 'b', body: 'the lake in winter' },
  { id: 'c', body: 'a dam of sticks', confidence: 0.1 },
  { id: 'd', body: 'beavers build a dam' },
]

let opened: OpenedOver
let receipt: Receipt
beforeEach(async () => {
  opened = await openOver()
  await opened.call('put', { batch }, startOfTime)
  receipt = (await opened.call('recall', { query: { text: 'dam lake' } }, now)).receipt
})

const acknowledge = (of: Receipt | readonly string[], outcomes: Record<string, string>, at = now) =>
  opened.call('acknowledge', { of, outcomes: outcomes as never }, at)
const confidenceOf = async (id: string) => (await opened.call('get', { ids: [id] }))[0]?.confidence
const kinds = async (since = 0) =>
  (await opened.call('events', { since })).map(({ kind, id }) => (id === '' ? kind : `${kind} ${id}`))
const learnedRow = (id: string) =>
  first(
    opened.database,
    `SELECT touched_at, resolved_at, access_count FROM learned JOIN records USING (key) WHERE id = ?`,
    [id],
    (row) => [row.numberOrNull(0), row.numberOrNull(1), row.number(2)],
  )

describe('acknowledge', () => {
  it('changes the state as the table of outcomes says', async () => {
    expect(receipt.ids.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    await acknowledge(receipt, { a: 'acted', b: 'used', c: 'contradicted' })
    expect(await confidenceOf('a')).toBeCloseTo(0.7, 12)
    expect(await confidenceOf('b')).toBe(0.5)
    expect(await confidenceOf('c')).toBe(0.1)
    expect(learnedRow('a')).toEqual([now, now, 1])
    expect(learnedRow('b')).toEqual([null, null, 1])
    // Contradicted, with hardly any confidence left.
    expect(learnedRow('c')).toEqual([null, now, 0])
    expect(learnedRow('d')).toBeUndefined()
    expect((await opened.call('get', { ids: ['a'] }))[0]?.cycles).toEqual([{ ...daily, amplitude: 1.2 }])
    expect(all(opened.database, `SELECT at FROM accesses`, [], (row) => row.number(0))).toEqual([now, now])
  })

  it('learns the same outcome of the same receipt once', async () => {
    await acknowledge(receipt, { a: 'acted', b: 'used' })
    const once = dump(opened.database)
    await acknowledge(receipt, { a: 'acted', b: 'used' }, now + minute)
    await acknowledge(receipt, { b: 'used' }, now + minute)
    await acknowledge(receipt, { b: 'used', a: 'acted', d: 'deferred' }, now + day)
    expect(dump(opened.database)).toBe(once)
  })

  it('control: another receipt, another outcome or bare ids are learned again', async () => {
    await acknowledge(receipt, { a: 'acted' })
    for (const [of, outcome] of [
      [{ ...receipt, now: receipt.now + 1 }, 'acted'],
      [['a'], 'acted'],
      [['a'], 'acted'],
      [receipt, 'contradicted'],
    ] as const) {
      const before = dump(opened.database)
      await acknowledge(of, { a: outcome })
      expect(dump(opened.database)).not.toBe(before)
    }
    const told = (await opened.call('events', {})).filter(({ kind }) => kind === 'confidence')
    expect(told.map(({ detail }) => detail?.evidence)).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    ['an unknown outcome', ['a', 'b'], { a: 'acted', b: 'usd' }, 'outcomes.b'],
    ['an outcome of the prototype', ['a'], { a: 'toString' }, 'outcomes.a'],
    ['no outcome', ['a'], { a: null }, 'outcomes.a'],
    ['an outcome of another record', ['a'], { b: 'used' }, 'outcomes.b'],
    ['outcomes that are none', ['a'], 'used', 'outcomes'],
    ['ids that are none', [5], {}, 'ids[0]'],
    ['a receipt that is none', { id: 'x' }, {}, 'receipt'],
    ['a record that is not stored', ['a', 'nobody'], { a: 'acted', nobody: 'used' }, 'ids'],
  ])('refuses %s before any effect', async (_name, of, outcomes, field) => {
    const before = dump(opened.database)
    await expect(acknowledge(of as never, outcomes as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(dump(opened.database)).toBe(before)
  })

  it('names the outcome that was probably meant', async () => {
    await expect(acknowledge(['a'], { a: 'dissmissed' })).rejects.toThrow('Did you mean dismissed?')
  })

  it('skips records of a receipt that were forgotten meanwhile', async () => {
    await opened.call('forget', { ids: ['b'] })
    await acknowledge(receipt, { a: 'used', b: 'used' })
    expect(learnedRow('a')).toEqual([null, null, 1])
    expect(await opened.call('linked', { id: 'a' })).toEqual([])
  })

  it('deferred changes nothing', async () => {
    const before = dump(opened.database)
    await acknowledge(receipt, {})
    await acknowledge(receipt, { a: 'deferred' })
    expect(dump(opened.database)).toBe(before)
  })

  it('links records that were used together, and no others', async () => {
    await acknowledge(receipt, { a: 'used', b: 'acted', c: 'dismissed', d: 'used' })
    expect(await opened.call('linked', { id: 'a' })).toEqual([
      { id: 'd', weight: 0.05 },
      { id: 'b', weight: 0.05 },
    ])
    expect(await opened.call('linked', { id: 'c' })).toEqual([])
    await acknowledge(['a', 'b'], { a: 'used', b: 'used' })
    expect((await opened.call('linked', { id: 'b' }))[0]).toEqual({ id: 'a', weight: 0.1 })
  })

  it('links a record acknowledged later with those acknowledged before', async () => {
    await acknowledge(receipt, { a: 'used' })
    await acknowledge(receipt, { a: 'used', b: 'used' })
    expect(await opened.call('linked', { id: 'a' })).toEqual([{ id: 'b', weight: 0.05 }])
    expect(learnedRow('a')).toEqual([null, null, 1])
  })

  it('links nothing when autoLink is off', async () => {
    const silent = opened.reopen({ autoLink: false })
    await silent.call('acknowledge', { of: receipt, outcomes: { a: 'used', b: 'used' } }, now)
    expect(await silent.call('linked', { id: 'a' })).toEqual([])
  })

  it('resolves open predictions, and a surprise lowers confidence', async () => {
    for (const id of ['a', 'b', 'd']) await opened.call('predict', { id, expected: { minutes: 5 } }, now)
    await acknowledge(receipt, { a: 'acted', b: 'contradicted', d: 'dismissed' })
    expect(await confidenceOf('b')).toBeCloseTo(0.8 / 3, 12)
    expect(await opened.call('predictionErrors', {})).toEqual([
      { day: '2026-01-02', count: 3, mean: 0.5, sd: expect.closeTo(0.326599, 6), p50: 0.5, p90: 0.9, p99: 0.9 },
    ])
    await expect(opened.call('resolvePrediction', { id: 'a', actual: 1 })).rejects.toThrow(
      'a record with an open prediction',
    )
  })

  it('keeps the last hundred reads', async () => {
    for (let i = 0; i < 105; i++) await acknowledge(['a'], { a: 'used' }, now + (i >> 1))
    const times = all(opened.database, `SELECT at FROM accesses ORDER BY at, occurrence`, [], (row) => row.number(0))
    expect(times).toEqual(Array.from({ length: 100 }, (_, i) => now + ((i + 5) >> 1)))
    expect(learnedRow('a')).toEqual([null, null, 105])
  })

  it('reports changes to listeners', async () => {
    const heard: unknown[] = []
    opened.engine.subscribe((event) => heard.push(event))
    await acknowledge(receipt, { b: 'used', a: 'acted' })
    expect(heard).toEqual([{ type: 'changed', revision: 2, ids: receipt.ids.filter((id) => id === 'a' || id === 'b') }])
    expect((await opened.call('status', {})).revision).toBe(2)
  })
})

it('counts confirmed reads where a policy weighs them', async () => {
  const space = { name: 'two', dimensions: 2 }
  const { call } = await openOver({ space })
  await call('put', { batch: [{ id: 'a', body: 'a dam', vectors: Float32Array.of(1, 0) }] })
  const query = { vector: Float32Array.of(1, 0), policy: 'secondBrain' }
  const score = async () => (await call('recall', { query })).hits[0]?.score
  const unread = await score()
  await call('acknowledge', { of: ['a'], outcomes: { a: 'dismissed' } })
  expect(await score()).toBe(unread)
  await call('acknowledge', { of: ['a'], outcomes: { a: 'used' } })
  const readOnce = await score()
  expect(readOnce).toBeGreaterThanOrEqual(unread!)
  // A new memory is capped at its cosine; a month later the reads show.
  const later = async () => (await call('recall', { query }, startOfTime + 60 * day)).hits[0]!.score
  const before = await later()
  await call('acknowledge', { of: ['a'], outcomes: { a: 'used' } })
  expect(await later()).toBeGreaterThan(before)
})

describe('a fault in the middle', async () => {
  const storage = await openMemory(await initSqlite(), 'test')
  const faulty = createFaultyDatabase(storage.database)
  const over = createEngineOver({ ...storage, database: faulty.database }, engineOptionsInWorker, null)
  const context = { now }
  await over.call('put', { batch }, { now: startOfTime })
  for (const id of ['a', 'c']) await over.call('predict', { id, expected: 1 }, context)
  const of: Receipt = {
    id: 'sel-0',
    storeRevision: 3,
    policyHash: 'p',
    queryHash: 'q',
    now,
    ids: ['a', 'b', 'c', 'd'],
    digest: 'd',
  }
  const outcomes = { a: 'acted', b: 'used', c: 'contradicted', d: 'dismissed' } as const

  it('at each statement of an acknowledgement undoes all of it, and the engine goes on', async () => {
    const before = dump(storage.database)
    let failed = 0
    for (let n = 0; ; n++) {
      faulty.failAfter(n)
      const failure = await over.call('acknowledge', { of, outcomes }, context).catch((error: unknown) => error)
      if (failure === undefined) break
      failed++
      expect(failure).toMatchObject({ code: 'QUOTA_EXCEEDED' })
      expect(dump(storage.database), `statement ${n}`).toBe(before)
    }
    expect(failed).toBeGreaterThan(30)
    expect(faulty.statements()).toBe(failed)
    faulty.failAfter(null)
    expect(dump(storage.database)).not.toBe(before)
    expect((await over.call('events', {}, context)).at(-1)?.revision).toBe(
      (await over.call('status', {}, context)).revision,
    )
  })

  it.each([
    ['link', { a: 'a', b: 'b', weight: 0.7 }],
    ['weakenLinks', {}],
    ['predict', { id: 'd', expected: 2 }],
    ['resolvePrediction', { id: 'd', actual: 200 }],
  ] as const)('at each statement of %s undoes all of it', async (method, request) => {
    const before = dump(storage.database)
    for (let n = 0; ; n++) {
      faulty.failAfter(n)
      const failure = await over.call(method, request as never, context).catch((error: unknown) => error)
      if (!(failure instanceof Error)) break
      expect(dump(storage.database), `statement ${n}`).toBe(before)
    }
    expect(dump(storage.database)).not.toBe(before)
  })
})

describe('links', () => {
  const link = (a: string, b: string, weight?: number) => opened.call('link', { a, b, weight })
  const linked = (id: string) => opened.call('linked', { id })

  it('are created once, go both ways, and can be set, strengthened and weakened', async () => {
    expect(await link('a', 'b')).toMatchObject({ weight: 0.1, revision: 2, durability: 'memory' })
    expect(await link('b', 'a')).toMatchObject({ weight: 0.1, revision: 2 })
    expect(await link('a', 'c', 0.8)).toMatchObject({ weight: 0.8 })
    expect(await link('a', 'c')).toMatchObject({ weight: 0.8 })
    expect(await opened.call('strengthen', { a: 'c', b: 'a' })).toMatchObject({ weight: expect.closeTo(0.85, 12) })
    expect(await opened.call('strengthen', { a: 'c', b: 'a', delta: 0.5 })).toMatchObject({ weight: 1 })
    expect(await opened.call('strengthen', { a: 'd', b: 'a' })).toMatchObject({ weight: 0.05 })
    expect(await linked('a')).toEqual([
      { id: 'c', weight: 1 },
      { id: 'b', weight: 0.1 },
      { id: 'd', weight: 0.05 },
    ])
    expect(await opened.call('linked', { id: 'a', limit: 1 })).toEqual([{ id: 'c', weight: 1 }])
    expect(await linked('b')).toEqual([{ id: 'a', weight: 0.1 }])
    expect(await opened.call('weakenLinks', {})).toMatchObject({ weakened: 3, pruned: 0 })
    expect((await linked('a')).map(({ weight }) => weight)).toEqual([0.95, 0.1 * 0.95, 0.05 * 0.95])
    expect(await opened.call('weakenLinks', { factor: 0.001 })).toMatchObject({ weakened: 0, pruned: 3 })
    expect(await linked('a')).toEqual([])
    const { revision } = await opened.call('status', {})
    expect(await opened.call('weakenLinks', {})).toMatchObject({ weakened: 0, pruned: 0, revision })
  })

  it('of one record are at most 500, and the weakest are dropped', async () => {
    const others = Array.from({ length: 502 }, (_, i) => ({ id: `o${i}`, body: `other ${i}` }))
    await opened.call('put', { batch: others })
    for (const [i, { id }] of others.slice(0, 500).entries()) await link('a', id, 0.2 + (i % 50) / 100)
    expect(await link('a', 'o500', 0.9)).toMatchObject({ weight: 0.9 })
    expect(await link('a', 'o501', 0.1)).toMatchObject({ weight: 0 })
    const kept = await linked('a')
    expect([kept.length, kept[0]?.id, kept.at(-1)?.weight]).toEqual([500, 'o500', 0.2])
    // Of ten equally weak links, the one with the lowest id.
    expect(await linked('o0')).toEqual([])
    expect(await linked('o501')).toEqual([])
  })

  it.each([
    ['itself', { a: 'a', b: 'a' }, 'b'],
    ['nobody', { a: 'a', b: 'nobody' }, 'b'],
    ['no id', { a: 5, b: 'a' }, 'a'],
    ['too much', { a: 'a', b: 'b', weight: 1.1 }, 'weight'],
    ['nothing', { a: 'a', b: 'b', weight: 0 }, 'weight'],
  ])('to %s are refused', async (_name, request, field) => {
    const before = dump(opened.database)
    await expect(opened.call('link', request as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(dump(opened.database)).toBe(before)
  })

  it('refuse malformed factors, deltas and limits', async () => {
    await expect(opened.call('weakenLinks', { factor: 2 })).rejects.toMatchObject({ field: 'factor' })
    await expect(opened.call('strengthen', { a: 'a', b: 'b', delta: -1 })).rejects.toMatchObject({ field: 'delta' })
    await expect(opened.call('linked', { id: 'a', limit: 0.5 })).rejects.toMatchObject({ field: 'limit' })
  })
})

describe('predictions', () => {
  const predict = (expected: unknown, id = 'a') => opened.call('predict', { id, expected: expected as never }, now)
  const resolve = (actual: unknown, id = 'a', at = now) =>
    opened.call('resolvePrediction', { id, actual: actual as never }, at)

  it('are resolved once, and a surprise lowers confidence', async () => {
    await predict({ minutes: 10 })
    expect(await resolve({ minutes: 5 })).toMatchObject({ error: 0.5, confidence: 0.5 })
    await expect(resolve({ minutes: 5 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
    await predict({ minutes: 10 })
    expect(await resolve({ minutes: 1 }, 'a', now + day)).toMatchObject({ error: 0.9, confidence: 0.35 })
    expect(await confidenceOf('a')).toBe(0.35)
    const days = await opened.call('predictionErrors', {})
    expect(days.map(({ day: name, count, p50 }) => [name, count, p50])).toEqual([
      ['2026-01-02', 1, 0.5],
      ['2026-01-03', 1, 0.9],
    ])
    expect(await opened.call('predictionErrors', { filter: { after: now + 1 } })).toEqual(days.slice(1))
    expect(await opened.call('predictionErrors', { filter: { before: now + 1, ids: ['a'] } })).toEqual(days.slice(0, 1))
    expect(await opened.call('predictionErrors', { filter: { ids: ['b'] } })).toEqual([])
  })

  it.each([
    ['bounded', 0.35],
    ['sqrt', 0.2],
  ] as const)('lower confidence by the rule of the policy: %s', async (confidenceRule, confidence) => {
    const ruled = await openOver({ policy: { ...policies.balanced, confidenceRule } })
    await ruled.call('put', { batch: [{ id: 'a', body: 'jay' }] })
    await ruled.call('predict', { id: 'a', expected: { x: 'p' } }, now)
    const resolved = await ruled.call('resolvePrediction', { id: 'a', actual: { x: 'q' } }, now)
    expect(resolved).toMatchObject({ error: 1 })
    expect(resolved.confidence).toBeCloseTo(confidence, 12)
    expect((await ruled.call('get', { ids: ['a'] }))[0]?.confidence).toBe(resolved.confidence)
  })

  it('are replaced by a later one', async () => {
    await predict(10)
    await predict(5)
    expect(await resolve(5)).toMatchObject({ error: 0 })
  })

  it.each([
    [{ x: {} }, 'expected.x'],
    [Number.NaN, 'expected'],
    [undefined, 'expected'],
    [['a'], 'expected'],
  ])('of %j are refused', async (expected, field) => {
    await expect(predict(expected)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
    await expect(opened.call('predictionErrors', { filter: { since: 1 } as never })).rejects.toThrow(/since/)
  })

  it('of a record that is not stored are refused', async () => {
    await expect(predict(1, 'nobody')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
  })
})

describe('proposals', () => {
  const north = '{"project":"north"}'
  const south = '{"project":"south"}'
  const propose = (scope: string, id: string, at: number) => {
    const store = createSqliteStore(opened.database, { stemmer: 'porter', metadataKeys: [] })
    store.learn(at, (changes) => changes.propose(scope, store.keyOf(id) ?? -1, 'proactive'))
  }

  it('remain open in their scope until their outcome, which is recorded there', async () => {
    propose(north, 'a', now)
    propose(south, 'a', now + 1)
    propose(south, 'b', now + 2)
    const waiting = (scope?: object) => opened.call('proposals', { scope }, now + minute)
    expect(await waiting()).toEqual([
      { id: 'a', scope: north, reason: 'proactive', createdAt: now },
      { id: 'a', scope: south, reason: 'proactive', createdAt: now + 1 },
      { id: 'b', scope: south, reason: 'proactive', createdAt: now + 2 },
    ])
    expect((await waiting({ project: 'south' })).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await waiting({})).toEqual([])
    await acknowledge(['a', 'b'], { a: 'dismissed' }, now + minute)
    expect((await waiting()).map(({ id }) => id)).toEqual(['b'])
    const settled = (await opened.call('events', {})).filter(({ kind }) => kind === 'settle')
    expect(settled.map(({ id, detail }) => [id, detail])).toEqual([
      ['a', { outcome: 'dismissed', scope: north }],
      ['a', { outcome: 'dismissed', scope: south }],
    ])
  })

  it('remain open for an hour, and are removed on request', async () => {
    propose(north, 'a', now)
    propose(north, 'b', now + minute)
    expect((await opened.call('proposals', {}, now + 60 * minute - 1)).length).toBe(2)
    expect((await opened.call('proposals', {}, now + 60 * minute)).map(({ id }) => id)).toEqual(['b'])
    expect(await opened.call('expireProposals', {}, now + 60 * minute)).toBe(1)
    expect(await opened.call('expireProposals', {}, now + 60 * minute)).toBe(0)
    expect(await opened.call('expireProposals', { ttlMs: 0 }, now + 60 * minute)).toBe(1)
    expect((await kinds()).slice(-2)).toEqual(['expire a', 'expire b'])
    await expect(opened.call('expireProposals', { ttlMs: -1 })).rejects.toMatchObject({ field: 'ttlMs' })
    await expect(opened.call('proposals', { scope: { nose: 1 } as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  })
})

describe('the log', () => {
  it('reports changes, by revision', async () => {
    await opened.call('put', { batch: [{ id: 'a', body: 'another text' }] }, now)
    await opened.call('put', { batch: [{ id: 'b', body: 'the lake in winter' }] }, now)
    await opened.call('patch', { id: 'b', fields: { kind: 'decision' } }, now + 1)
    await acknowledge(['a'], { a: 'acted' }, now + 2)
    await opened.call('link', { a: 'a', b: 'b' }, now + 3)
    await opened.call('forget', { ids: ['c'] }, now + 4)
    const log = await opened.call('events', {})
    expect(log.map(({ revision, at, kind, id }) => [revision, at - now, kind, id])).toEqual([
      [1, -day, 'create', 'a'],
      [1, -day, 'create', 'b'],
      [1, -day, 'create', 'd'],
      [2, 0, 'update', 'a'],
      [3, 0, 'touch', 'b'],
      [4, 1, 'update', 'b'],
      [5, 2, 'outcome', 'a'],
      [5, 2, 'confidence', 'a'],
      [6, 3, 'link', 'a'],
      [6, 3, 'link', 'b'],
      [7, 4, 'delete', 'c'],
    ])
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map(({ sequence }) => sequence).toSorted((x, y) => x - y))
    expect(await opened.call('events', { since: 5 })).toEqual(log.slice(-3))
    expect(await opened.call('events', { since: 99 })).toEqual([])
    await expect(opened.call('events', { since: -1 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'since',
    })
  })

  it('keeps ids unchanged, whatever characters they hold', async () => {
    const ids = ['x\0y', '"quoted"', 'ﬁ😀', "o'clock"]
    await opened.call('put', { batch: ids.map((id) => ({ id, body: id })) })
    expect((await opened.call('events', { since: 1 })).map(({ id }) => id)).toEqual(ids)
  })

  it('keeps the last ten thousand lines', async () => {
    const many = Array.from({ length: 9000 }, (_, i) => ({ id: `m${i}`, body: `many ${i}` }))
    await opened.call('put', { batch: many })
    await opened.call('forget', { ids: many.slice(0, 4000).map(({ id }) => id) })
    await opened.call('put', { batch: many.slice(0, 4000) })
    const log = await opened.call('events', {})
    expect(log.length).toBeLessThanOrEqual(10_000)
    expect(log.at(-1)).toMatchObject({ kind: 'create', id: 'm3999', revision: 4 })
    expect(first(opened.database, `SELECT count(*) FROM events`, [], (row) => row.number(0))).toBeLessThanOrEqual(
      10_000,
    )
  })
})

describe('learned state', () => {
  it('survives a put that replaces the record, also under another key', async () => {
    await acknowledge(['a', 'b'], { a: 'acted', b: 'used' })
    await opened.call('predict', { id: 'a', expected: 3 })
    const [before] = await opened.call('get', { ids: ['a'] })
    await opened.call('put', { batch: [{ ...batch[0], body: 'quite another text' }] }, now + day)
    const [after] = await opened.call('get', { ids: ['a'] })
    expect([after?.confidence, after?.cycles]).toEqual([before?.confidence, before?.cycles])
    expect(after?.cycles[0]?.amplitude).toBe(1.2)
    expect(await opened.call('linked', { id: 'a' })).toEqual([{ id: 'b', weight: 0.05 }])
    expect(await opened.call('resolvePrediction', { id: 'a', actual: 3 })).toMatchObject({ error: 0 })
    // The decay clock restarts at the change; predictions resolved and reads are kept.
    expect(learnedRow('a')).toEqual([null, now, 1])
  })

  it('survives a patch, and new cycles restart', async () => {
    await acknowledge(['a'], { a: 'dismissed' })
    await opened.call('patch', { id: 'a', fields: { title: 'T' } })
    expect((await opened.call('get', { ids: ['a'] }))[0]?.cycles).toEqual([{ ...daily, amplitude: 0.8 }])
    // The fields that the caller gave are unchanged: the same put changes nothing.
    const again: RecordInput = { ...batch[0], title: 'T' }
    expect((await opened.call('put', { batch: [again] }, startOfTime)).records[0]?.outcome).toBe('unchanged')
    await opened.call('patch', { id: 'a', fields: { cycles: [{ ...daily, amplitude: 0.5 }] } })
    expect((await opened.call('get', { ids: ['a'] }))[0]?.cycles).toEqual([{ ...daily, amplitude: 0.5 }])
  })

  it('an identical put moves updatedAt, but not the decay clock', async () => {
    const clockOf = (id: string) =>
      first(opened.database, `SELECT changed_at FROM records WHERE id = ?`, [id], (row) => row.numberOrNull(0))
    await opened.call('put', { batch }, now)
    expect((await opened.call('get', { ids: ['b'] }))[0]?.updatedAt).toBe(now)
    expect(clockOf('b')).toBe(startOfTime)
    await opened.call('put', { batch }, now + day)
    expect(clockOf('b')).toBe(startOfTime)
    await opened.call('put', { batch: [{ id: 'b', body: 'changed' }] }, now + day)
    expect(clockOf('b')).toBeNull()
  })

  it('[W3] is deleted with its record', async () => {
    await acknowledge(receipt, { a: 'acted', b: 'used', d: 'used' })
    await opened.call('link', { a: 'a', b: 'c' })
    await opened.call('predict', { id: 'a', expected: 'the dam breaks' })
    const held = await opened.call('verifyForgotten', { id: 'a' })
    expect([held.edges, held.clean]).toEqual([3, false])
    expect(held.events).toBeGreaterThan(3)
    await opened.call('forget', { ids: ['a'] }, now + 1)
    expect(await opened.call('verifyForgotten', { id: 'a' })).toEqual({
      rows: 0,
      fts: 0,
      vectors: 0,
      edges: 0,
      events: 0,
      bytes: 0,
      clean: true,
    })
    const log = await opened.call('events', {})
    expect(log.filter(({ id, detail }) => id === 'a' || detail?.other === 'a')).toEqual([
      expect.objectContaining({ kind: 'delete', id: 'a', at: now + 1, detail: null }),
    ])
    expect((await opened.call('linked', { id: 'b' })).map(({ id }) => id)).toEqual(['d'])
    expect(await opened.call('linked', { id: 'c' })).toEqual([])
    await opened.call('put', { batch: [{ id: 'a', body: 'back' }] }, now + 2)
    expect(await confidenceOf('a')).toBe(0.5)
  })

  it('[D2] is read without changing a byte', async () => {
    await acknowledge(receipt, { a: 'acted', b: 'used' })
    await opened.call('predict', { id: 'a', expected: 1 })
    const [before, changes] = [dump(opened.database), totalChanges(opened.database)]
    await opened.call('linked', { id: 'a' })
    await opened.call('predictionErrors', {})
    await opened.call('proposals', {}, now + 9 * day)
    await opened.call('events', {})
    await opened.call('recall', { query: { text: 'dam' } }, now)
    await opened.call('verifyForgotten', { id: 'a' })
    expect([dump(opened.database), totalChanges(opened.database)]).toEqual([before, changes])
  })
})
