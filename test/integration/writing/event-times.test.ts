/** Tests the stored times of events: they follow each write, are rebuilt and erased like other derived rows, and are not exported. */
import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const dayMs = 86_400_000
/** Thursday 1 January 2026. */
const now = startOfTime

const records: readonly RecordInput[] = [
  { id: 'told', body: 'Yesterday we planted an oak.', createdAt: now - 5 * dayMs },
  { id: 'planned', body: 'An oak falls.', occurredAt: now - 12 * dayMs, createdAt: now - 3 * dayMs },
  { id: 'plain', body: 'Oaks have acorns.', createdAt: now - 2 * dayMs },
]

async function opened(): Promise<OpenedOver> {
  const store = await openOver()
  await store.call('put', { batch: records.map((record) => ({ ...record, updatedAt: now - dayMs })) })
  return store
}

/** The stored time of each event, in days from now. */
function eventTimes({ database }: Pick<OpenedOver, 'database'>): Record<string, readonly [number, number]> {
  const sql = `SELECT id, time_from, time_before FROM event_times JOIN records USING (key) ORDER BY id`
  const inDays = (ms: number) => (ms - now) / dayMs
  return Object.fromEntries(
    all(database, sql, [], (row) => [row.text(0), [inDays(row.number(1)), inDays(row.number(2))]]),
  )
}

const ofBatch = { planned: [-12, -12], told: [-6, -5] }

describe('the time of an event', () => {
  test('is stored when a record is put: the given time, else a time in its text, but not its creation', async () => {
    expect(eventTimes(await opened())).toEqual(ofBatch)
  })

  test('follows a patch and a put that change text, creation or occurredAt', async () => {
    const store = await opened()
    const { call } = store
    await call('patch', { id: 'told', fields: { body: 'Three days ago we planted an oak.' } })
    expect(eventTimes(store)).toMatchObject({ told: [-8, -7] })
    await call('put', { batch: [{ id: 'told', body: 'Three days ago, an oak.', createdAt: now - 6 * dayMs }] })
    expect(eventTimes(store)).toMatchObject({ told: [-9, -8] })
    await call('put', { batch: [{ id: 'told', body: 'We planted an oak.' }] })
    expect(eventTimes(store)).toEqual({ planned: ofBatch.planned })
    await call('patch', { id: 'plain', fields: { title: 'Harvest of yesterday' } })
    expect(eventTimes(store)).toEqual({ planned: ofBatch.planned, plain: [-3, -2] })
    expect(await call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('control: a patch that changes neither leaves it', async () => {
    const store = await opened()
    await store.call('patch', { id: 'told', fields: { tags: ['oak'] } })
    expect(eventTimes(store)).toEqual(ofBatch)
  })

  test.each([
    ['a wrong time', `UPDATE event_times SET time_before = time_before + 1`],
    ['one that is gone', `DELETE FROM event_times`],
    ['one of a record without', `INSERT INTO event_times SELECT key, 0, 3, 0, 1, NULL FROM records WHERE id = 'plain'`],
  ])('is checked and rebuilt by integrityCheck: %s', async (_name, damage) => {
    const store = await opened()
    store.database.execute(damage)
    expect(eventTimes(store)).not.toEqual(ofBatch)
    const found = await store.call('integrityCheck', {})
    expect(found).toMatchObject({ ok: false, derived: 'damaged' })
    expect(found.problems.join()).toContain('event time')
    expect(await store.call('integrityCheck', { repair: true })).toMatchObject({ ok: true, derived: 'repaired' })
    expect(eventTimes(store)).toEqual(ofBatch)
    expect(await store.call('integrityCheck', {})).toMatchObject({ ok: true, derived: 'ok' })
  })

  test('[W3] is erased with its record, and verifyForgotten counts it', async () => {
    const store = await opened()
    const before = (await store.call('verifyForgotten', { id: 'told' })).rows
    store.database.execute(`DELETE FROM event_times WHERE key = (SELECT key FROM records WHERE id = 'told')`)
    // Control: the row is one of those that are counted.
    expect((await store.call('verifyForgotten', { id: 'told' })).rows).toBe(before - 1)
    await store.call('forget', { ids: ['told', 'planned'] })
    expect(all(store.database, `SELECT key FROM event_times`, [], (row) => row.number(0))).toEqual([])
    expect(await store.call('verifyForgotten', { id: 'planned' })).toMatchObject({ rows: 0, clean: true })
  })

  test('[W3] control: a row that forgetting left would be counted', async () => {
    const store = await opened()
    await store.call('forget', { ids: ['told'] })
    store.database.execute('PRAGMA foreign_keys=OFF')
    store.database.execute(`INSERT INTO event_times VALUES (999999, 0, 3, 0, 1, NULL)`)
    expect(await store.call('verifyForgotten', { id: 'told' })).toMatchObject({ rows: 1, clean: false })
  })

  test.each(['replace', 'merge'] as const)(
    '[X1] is found again from the records of an export, mode %s',
    async (mode) => {
      const source = await opened()
      const bytes = await exported(source)
      // Control: a store without event times has the same export, so the import cannot have copied them.
      source.database.execute(`DELETE FROM event_times`)
      expect(await exported(source)).toEqual(bytes)
      const copy = await openOver()
      const older = { id: 'told', body: 'Older.', createdAt: now - 9 * dayMs, updatedAt: 1 }
      await copy.call('put', { batch: [older] }, now - dayMs)
      await imported(copy, bytes, mode)
      expect(eventTimes(copy)).toEqual(ofBatch)
      expect(await copy.call('integrityCheck', {})).toMatchObject({ ok: true })
    },
  )

  test('is read again when the store is opened again', async () => {
    const store = await opened()
    const ask = async ({ call }: Pick<OpenedOver, 'call'>) =>
      (await call('recall', { query: { text: 'oak last Saturday' } })).hits.map(({ id, reasons }) => [id, ...reasons])
    const found = await ask(store)
    // Saturday 27 December was the day of writing; the day before it, a Friday, is what the record tells.
    expect((await store.call('recall', { query: { text: '26 December' } })).hits.map(({ id }) => id)).toEqual(['told'])
    expect(await ask(store.reopen())).toEqual(found)
  })
})

describe('policies without a weight for times', () => {
  const withoutTimes = Object.values(policies).filter(
    (policy: Policy) => policy.fusion.kind !== 'convex' || (policy.fusion.time ?? 0) === 0,
  )
  const texts = ['oak yesterday', 'what happened last week', 'oak 27 December 2025', 'acorns since March']
  const answerOf = async ({ call }: OpenedOver, query: RecallQuery) => {
    const { tookMs: _took, receipt: _receipt, ...answer } = await call('recall', { query: { ...query, ledger: true } })
    return canonicalJson(answer)
  }

  test('are all but balanced', () => {
    expect(withoutTimes.map(({ name }) => name).toSorted()).toEqual(['ctxsift', 'popoto', 'secondBrain', 'tokenpak'])
  })

  test.each(withoutTimes.map((policy) => [policy.name, policy] as const))('read none: %s', async (_name, policy) => {
    const store = await opened()
    for (const text of texts) {
      const answer = await answerOf(store, { text, policy })
      expect(JSON.parse(answer).plan.read).toEqual([])
      expect(answer).toBe(await answerOf(store, { text, policy, times: 'off' }))
    }
  })

  test('control: balanced reads them', async () => {
    const store = await opened()
    for (const text of texts)
      expect(await answerOf(store, { text })).not.toBe(await answerOf(store, { text, times: 'off' }))
  })
})
