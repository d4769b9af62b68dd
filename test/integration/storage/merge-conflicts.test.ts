/** Tests what a merge says about changes that were made apart, about a clock that is far ahead, and what forgetting leaves of merged state. */
import { describe, expect, test } from 'vitest'
import type { ConflictResolver } from '../../../src/client/api/recall.ts'
import { openRecall } from '../../../src/index.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { asDevice, type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const hour = 3_600_000
const day = 24 * hour

/** Two devices that both have the record `plan`, and have then changed it apart. */
async function changedApart(): Promise<readonly [OpenedOver, OpenedOver]> {
  const phone = asDevice(await openOver(), 'phone')
  const laptop = asDevice(await openOver(), 'laptop')
  await phone.call('put', { batch: [{ id: 'plan', body: 'the plan' }] })
  await imported(laptop, await exported(phone), 'merge')
  await phone.call('put', { batch: [{ id: 'plan', body: 'quiet walk' }] }, startOfTime + hour)
  await laptop.call('put', { batch: [{ id: 'plan', body: 'loud party' }] }, startOfTime + 2 * hour)
  return [phone, laptop]
}

const conflictsOf = async ({ call }: OpenedOver) =>
  (await call('events', { since: 0 })).filter(({ kind }) => kind === 'conflict')

describe('changes that were made apart', () => {
  test('are counted, and the log names the version that lost by its hash, without its text', async () => {
    const [phone, laptop] = await changedApart()
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ updated: 1, conflicts: 1 })
    const conflicts = await conflictsOf(phone)
    expect(conflicts).toMatchObject([{ id: 'plan', detail: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } }])
    expect(JSON.stringify(conflicts)).not.toMatch(/quiet|walk|loud|party/)
    // A second merge of the same file has nothing to decide.
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ unchanged: 1, conflicts: 0 })
  })

  test('control: a change that was made with knowledge of the other one conflicts with nothing', async () => {
    const [phone, laptop] = await changedApart()
    await imported(phone, await exported(laptop), 'merge')
    await phone.call('put', { batch: [{ id: 'plan', body: 'both' }] }, startOfTime)
    expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ updated: 1, conflicts: 0 })
    expect(await conflictsOf(laptop)).toEqual([])
  })
})

describe('onConflict', () => {
  const openApart = async () => {
    const phone = await openRecall({ name: 'phone', embedder: null })
    const laptop = await openRecall({ name: 'laptop', embedder: null })
    await phone.put({ id: 'list', body: 'bread' })
    await laptop.importFrom(phone.exportTo(), { mode: 'merge' })
    await phone.put({ id: 'list', body: 'milk' })
    await laptop.put({ id: 'list', body: 'eggs' })
    return [phone, laptop] as const
  }
  const bodyAfter = async (onConflict: ConflictResolver) => {
    const [phone, laptop] = await openApart()
    await phone.importFrom(laptop.exportTo(), { mode: 'merge', onConflict })
    const body = (await phone.get('list'))?.body
    await phone.close()
    await laptop.close()
    return body
  }

  test('chooses a side, or makes a record of both', async () => {
    expect(await bodyAfter(() => 'mine')).toBe('milk')
    expect(await bodyAfter(() => 'theirs')).toBe('eggs')
    const both = await bodyAfter((mine, theirs) => ({ ...mine, body: [mine.body, theirs.body].sort().join(' and ') }))
    expect(both).toBe('eggs and milk')
  })

  test('that throws rejects the call, and the merge stays', async () => {
    const [phone, laptop] = await openApart()
    const failing = phone.importFrom(laptop.exportTo(), {
      mode: 'merge',
      onConflict: () => {
        throw new Error('of the app')
      },
    })
    await expect(failing).rejects.toThrow('of the app')
    expect(['milk', 'eggs']).toContain((await phone.get('list'))?.body)
    await phone.close()
    await laptop.close()
  })
})

describe('a clock that is far ahead', () => {
  test('is named by the status, until the time has come', async () => {
    const [phone, laptop] = [asDevice(await openOver(), 'phone'), asDevice(await openOver(), 'laptop')]
    await laptop.call('put', { batch: [{ id: 'a', body: 'from the future' }] }, startOfTime + 3 * day)
    await imported(phone, await exported(laptop), 'merge')
    const degradedAt = async (now: number) => (await phone.call('status', {}, now)).degraded
    expect(await degradedAt(startOfTime)).toContainEqual(expect.stringMatching(/a clock 3 days ahead/))
    expect((await degradedAt(startOfTime + 2 * day)).filter((line) => line.includes('ahead'))).toEqual([])
  })
})

test('[W3] forgetting leaves nothing of reports, links and predictions that a merge brought', async () => {
  const secret = 'quokkasecret'
  const [phone, laptop] = [asDevice(await openOver(), 'phone'), asDevice(await openOver(), 'laptop')]
  await laptop.call('put', {
    batch: [
      { id: secret, body: 'x' },
      { id: 'other', body: 'y' },
    ],
  })
  await laptop.call('acknowledge', { of: [secret], outcomes: { [secret]: 'acted' } })
  await laptop.call('link', { a: secret, b: 'other', weight: 0.5 })
  await laptop.call('predict', { id: secret, expected: { likely: secret } } as never)
  await imported(phone, await exported(laptop), 'merge')
  const rowsOf = (table: string) => first(phone.database, `SELECT count(*) FROM ${table}`, [], (row) => row.number(0))
  const tables = ['reports', 'link_states', 'links', 'predictions']
  // Control: the merge did bring it.
  expect(dump(phone.database)).toContain(secret)
  for (const table of tables) expect(rowsOf(table), table).toBeGreaterThan(0)
  await phone.call('forget', { ids: [secret] })
  expect(await phone.call('verifyForgotten', { id: secret })).toMatchObject({ clean: true })
  for (const table of tables) expect(rowsOf(table), table).toBe(0)
  const left = dump(phone.database)
    .split('\n')
    .filter((line) => line.includes(secret))
  // The log names the id of what was deleted.
  expect(left.filter((line) => !line.includes('delete'))).toEqual([])
})

describe('[W3] [R5] text that a merge erases leaves every table', () => {
  const secret = 'quokkasecret'
  const holding = async ({ database }: OpenedOver) => (dump(database).includes(secret) ? 'held' : 'gone')

  test('of a record that the other device has forgotten', async () => {
    const [phone, laptop] = [asDevice(await openOver(), 'phone'), asDevice(await openOver(), 'laptop')]
    const batch = [
      { id: 'a', title: `${secret} title`, body: `${secret} body`, tags: [secret] },
      { id: 'b', body: 'other' },
    ]
    await phone.call('put', { batch })
    await phone.call('link', { a: 'a', b: 'b', weight: 0.5 })
    await phone.call('predict', { id: 'a', expected: { likely: secret } } as never)
    await imported(laptop, await exported(phone), 'merge')
    await laptop.call('forget', { ids: ['a'] })
    // Control: until the merge the phone has the text.
    expect(await holding(phone)).toBe('held')
    expect(await imported(phone, await exported(laptop), 'merge')).toMatchObject({ conflicts: 0 })
    expect(await holding(phone)).toBe('gone')
    expect(await holding(laptop)).toBe('gone')
  })

  test('of fields that lost', async () => {
    const [phone, laptop] = await changedApart()
    const put = ({ call }: OpenedOver, title: string, body: string, hours: number) =>
      call('put', { batch: [{ id: 'plan', title, body, metadata: { key: title } }] }, startOfTime + hours * hour)
    await put(phone, secret, secret, 1)
    await put(laptop, 'party', 'loud party', 2)
    expect(await holding(phone)).toBe('held')
    await imported(phone, await exported(laptop), 'merge')
    expect((await phone.call('get', { ids: ['plan'] }))[0]?.body).toBe('loud party')
    expect(await holding(phone)).toBe('gone')
  })
})
