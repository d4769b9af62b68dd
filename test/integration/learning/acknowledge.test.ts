/** Checks what outcomes of an answer change, and that a fault undoes all of it. */
import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../../src/core/model/result.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { engineOptionsInWorker } from '../../support/scripted-engine.ts'
import { dump } from '../../support/stores/dump.ts'
import { createFaultyDatabase } from '../../support/stores/faulty-database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import {
  acknowledge,
  batch,
  confidenceOf,
  daily,
  day,
  learnedRow,
  minute,
  now,
  opened,
  receipt,
} from './learning-store.ts'

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
