/** Checks that learned state belongs to its record: kept by puts and patches, deleted with it, unchanged by reads. */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { dump, totalChanges } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { acknowledge, batch, confidenceOf, daily, day, learnedRow, now, opened, receipt } from './learning-store.ts'

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
