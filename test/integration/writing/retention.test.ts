/**
 * Tests retention in a store: a dry run reports, retain forgets like every other forget, and puts apply the limits by
 * themselves.
 */
import { describe, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const day = 86_400_000

describe('retain', () => {
  test('[W3] a dry run changes nothing and reports what will go; then it is gone without a trace', async () => {
    const { call, database, reopen } = await openOver()
    const batch = Array.from({ length: 6 }, (_, i) => ({
      id: `r${i}`,
      body: `jay number ${i}`,
      bank: i % 2 === 0 ? 'even' : 'odd',
      tags: i === 0 ? ['keep'] : [],
      createdAt: startOfTime - i * day,
      updatedAt: startOfTime - i * day,
    }))
    await call('put', { batch })
    const kept = reopen({ retention: { maxAgeDays: 4, maxRecords: 1, per: 'bank', exemptTags: ['keep'] } })
    const records = [
      { id: 'r2', reason: 'max_records' },
      { id: 'r3', reason: 'max_records' },
      { id: 'r4', reason: 'max_records' },
      { id: 'r5', reason: 'max_age' },
    ]
    const before = dump(database)
    expect(await kept.call('retain', { dryRun: true })).toMatchObject({ records, dryRun: true })
    expect(dump(database)).toBe(before)
    expect(await kept.call('retain', {})).toMatchObject({ records, dryRun: false })
    expect((await kept.call('list', { filter: {} })).items.map(({ id }) => id)).toEqual(['r0', 'r1'])
    for (const { id } of records) expect(await kept.call('verifyForgotten', { id })).toMatchObject({ clean: true })
    expect(await kept.call('retain', {})).toMatchObject({ records: [] })
    expect(await kept.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('the same operation sent again gets the same answer', async () => {
    const { engine, call } = await openOver({ retention: { maxAgeDays: 1 } })
    await call('put', { batch: [{ id: 'old', body: 'x', createdAt: startOfTime - day, updatedAt: startOfTime - day }] })
    const context = { now: startOfTime + 1, operation: 'retain once' }
    const first = await engine.call('retain', {}, context)
    expect(first.records).toEqual([{ id: 'old', reason: 'max_age' }])
    expect(await engine.call('retain', {}, context)).toEqual(first)
  })

  test('idle means unused; doubted means that outcomes lowered its confidence', async () => {
    const { call } = await openOver({ retention: { maxIdleDays: 10, minConfidence: 0.3 } })
    await call('put', { batch: ['used', 'idle', 'doubted'].map((id) => ({ id, body: id })) })
    const later = startOfTime + 11 * day
    await call('acknowledge', { of: ['used'], outcomes: { used: 'used' } }, later - day)
    for (let i = 0; i < 3; i++)
      await call('acknowledge', { of: ['doubted'], outcomes: { doubted: 'contradicted' } }, later - day + i)
    expect((await call('retain', { dryRun: true }, later)).records).toEqual([
      { id: 'doubted', reason: 'idle' },
      { id: 'idle', reason: 'idle' },
    ])
    expect((await call('retain', { dryRun: true }, startOfTime + day)).records).toEqual([
      { id: 'doubted', reason: 'low_confidence' },
    ])
  })
})

describe('after puts', () => {
  test('each put applies the maximum number; ages are applied once a minute', async () => {
    const { call } = await openOver({ retention: { maxRecords: 3, maxAgeDays: 1 } })
    for (let i = 0; i < 5; i++) await call('put', { batch: [{ id: `r${i}`, body: `${i}` }] }, startOfTime + i)
    expect((await call('list', { filter: {} })).items.map(({ id }) => id)).toEqual(['r4', 'r3', 'r2'])
    await call('put', { batch: [{ id: 'r5', body: '5' }] }, startOfTime + 2 * day)
    expect((await call('list', { filter: {} })).items.map(({ id }) => id)).toEqual(['r5'])
  })

  test('ages are applied at most once a minute, also by puts that come in between', async () => {
    const { call } = await openOver({ retention: { maxAgeDays: 1 } })
    const put = (id: string, now: number) => call('put', { batch: [{ id, body: id }] }, now)
    const ids = async () => (await call('list', { filter: {} })).items.map(({ id }) => id)
    await put('old', startOfTime)
    await put('looked', startOfTime + day - 30_000)
    await put('too early', startOfTime + day + 10_000)
    expect(await ids()).toContain('old')
    await put('due', startOfTime + day + 30_000)
    expect(await ids()).not.toContain('old')
  })

  test('ages are applied although the clock of the app went back by a day', async () => {
    const { call } = await openOver({ retention: { maxAgeDays: 1 } })
    const put = (id: string, now: number) => call('put', { batch: [{ id, body: id }] }, now)
    await put('ahead', startOfTime + 10 * day)
    await call(
      'put',
      {
        batch: [{ id: 'old', body: 'old', createdAt: startOfTime, updatedAt: startOfTime }],
      },
      startOfTime + 9 * day,
    )
    expect((await call('list', { filter: {} })).items.map(({ id }) => id)).toEqual(['ahead'])
  })

  test('in an app the option is checked, and retain exists', async () => {
    await expect(openRecall({ name: 'bad retention', retention: { maxRecords: -1 } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'retention.maxRecords',
    })
    const recall = await openRecall({ name: 'retention', embedder: null, retention: { maxRecords: 2 } })
    await recall.put([{ body: 'a' }, { body: 'b' }, { body: 'c' }])
    expect(await recall.count()).toBe(2)
    expect(await recall.retain({ dryRun: true })).toMatchObject({ records: [], dryRun: true })
    const plain = await openRecall({ name: 'no retention', embedder: null })
    expect(await plain.retain()).toMatchObject({ records: [], dryRun: false })
  })
})
