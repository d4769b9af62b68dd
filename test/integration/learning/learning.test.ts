/**
 * Tests what the learning methods write: links, predictions, proposals, the log.
 */
import { describe, expect, it } from 'vitest'
import { policies } from '../../../src/core/policies/policies.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { createSqliteStore } from '../../../worker/store/sqlite-store.ts'
import { dump } from '../../support/stores/dump.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { acknowledge, confidenceOf, day, minute, now, opened } from './learning-store.ts'

const kinds = async (since = 0) =>
  (await opened.call('events', { since })).map(({ kind, id }) => (id === '' ? kind : `${kind} ${id}`))

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
