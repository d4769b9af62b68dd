/**
 * [W1] [W2] Checks what a put leaves behind: the same as one put, the good records of a bad batch, or nothing at all.
 */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { createRandom } from '../../support/data/random.ts'
import { checkTextIndex, dump, totalChanges } from '../../support/stores/dump.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const space = { name: 'four', dimensions: 4 }
const now = startOfTime + 5000

function someRecords(): RecordInput[] {
  const random = createRandom(71)
  return Array.from({ length: 30 }, (_, i) => ({
    id: i % 3 === 0 ? undefined : `r${i}`,
    body: `jay ${i} src/nest.ts 図書館`,
    tags: ['a', `t${i % 4}`],
    reasons: [{ code: 'user_pinned', weight: 0.5 }],
    metadata: { n: i },
    confidence: i % 5 === 0 ? 0.7 : undefined,
    createdAt: i % 2 === 0 ? startOfTime - i : undefined,
    updatedAt: i % 4 === 0 ? startOfTime - i : undefined,
    vectors: i % 2 === 0 ? random.vector(4) : [random.vector(4), random.vector(4)],
  }))
}

describe('putting the same again', () => {
  it('[W1] with the same now changes nothing, backfilled times included', async () => {
    const { call, database } = await openOver({ space, metadataKeys: ['n'] })
    await call('put', { batch: someRecords() }, now)
    const once = dump(database)
    const receipt = await call('put', { batch: someRecords() }, now)
    expect(receipt.records.every(({ outcome }) => outcome === 'unchanged')).toBe(true)
    expect(dump(database)).toBe(once)
  })

  it('[W1] within one batch changes nothing but the receipt', async () => {
    const [twice, once] = [await openOver({ space }), await openOver({ space })]
    const receipt = await twice.call('put', { batch: [...someRecords(), ...someRecords()] }, now)
    await once.call('put', { batch: someRecords() }, now)
    expect(receipt.records.map(({ outcome }) => outcome).slice(30)).toEqual(Array(30).fill('unchanged'))
    expect(dump(twice.database)).toBe(dump(once.database))
  })

  it('[W1] control: at another now it moves updatedAt', async () => {
    const { call, database } = await openOver({ space })
    await call('put', { batch: someRecords() }, now)
    const once = dump(database)
    await call('put', { batch: someRecords() }, now + 1)
    expect(dump(database)).not.toBe(once)
  })
})

describe('a batch with bad records', async () => {
  const bad: unknown[] = [{}, { body: ' ' }, null, { body: 'x', nose: 1 }, { body: 'x', vectors: new Float32Array(3) }]

  it('[W2] stores the good ones, and answers for each in order', async () => {
    const { call, database } = await openOver({ space })
    const good = someRecords()
    const mixed = good.flatMap((record, i) => [record, bad[i % bad.length] as RecordInput])
    const { records } = await call('put', { batch: mixed }, now)
    expect(records.map(({ outcome }) => outcome)).toEqual(good.flatMap(() => ['inserted', 'rejected']))
    expect(
      records.filter((_, i) => i % 2 === 1).every(({ code, message }) => code !== undefined && message !== ''),
    ).toBe(true)
    const alone = await openOver({ space })
    await alone.call('put', { batch: good }, now)
    expect(dump(database)).toBe(dump(alone.database))
  })

  it('[W2] of bad records only leaves no trace', async () => {
    const { call, database } = await openOver({ space })
    const before = dump(database)
    const withHole = [...bad, 'text'] as RecordInput[]
    withHole.length++
    const { records, revision } = await call('put', { batch: withHole }, now)
    expect(records.map(({ outcome }) => outcome)).toEqual(Array(bad.length + 2).fill('rejected'))
    expect([revision, dump(database)]).toEqual([0, before])
  })
})

describe('a commit that fails midway', async () => {
  const opened = await openOver({ space, metadataKeys: ['n'] })
  const { call, database } = opened
  await call('put', { batch: someRecords().slice(0, 10) }, now)

  it.each([
    ['a record', 'records', `new.id = 'r22'`],
    ['a tag', 'tags', `new.tag = 't3' AND new.key > 15`],
    ['a vector', 'vectors', 'new.slot / 4096 > 18'],
    ['the revision', 'settings', `new.name = 'revision'`],
  ])('[W2] at %s leaves nothing half-written, and the engine goes on', async (_name, table, when) => {
    const before = dump(database)
    const answered = await call('recall', { query: { text: 'jay', limit: 100 } })
    const event = table === 'settings' ? 'UPDATE' : 'INSERT'
    database.execute(
      `CREATE TEMP TRIGGER broken BEFORE ${event} ON ${table} WHEN ${when} BEGIN SELECT raise(ABORT, 'disk'); END`,
    )
    const batch = [...someRecords(), { id: 'r1', body: 'another text', vectors: new Float32Array(4).fill(1) }]
    await expect(call('put', { batch }, now + 1)).rejects.toMatchObject({ name: 'RecallError' })
    database.execute('DROP TRIGGER broken')
    expect(dump(database)).toBe(before)
    checkTextIndex(database)
    expect(await call('recall', { query: { text: 'jay', limit: 100 } })).toEqual(answered)
    expect(await call('recall', { query: { vector: new Float32Array(4).fill(1), limit: 100 } })).toEqual(
      await opened.reopen().call('recall', { query: { vector: new Float32Array(4).fill(1), limit: 100 } }),
    )
    const other = await openOver({ space, metadataKeys: ['n'] })
    await other.call('put', { batch: someRecords().slice(0, 10) }, now)
    expect((await other.call('list', { filter: {} })).items).toEqual((await call('list', { filter: {} })).items)
  })
})

describe('reading', () => {
  it('[D2] changes no row', async () => {
    const { call, database } = await openOver({ space, metadataKeys: ['n'] })
    await call('put', { batch: someRecords() }, now)
    const [before, changes] = [dump(database), totalChanges(database)]
    for (const query of [
      { text: 'jay' },
      { text: '"jay 1" ja', prefix: 'last' as const },
      {},
      { vector: new Float32Array(4).fill(1) },
      { text: '図書館', scope: { tags: { all: ['a'] } }, capture: true },
      { text: 'zzyzx', asOf: 5 },
    ]) {
      await call('recall', { query }, now + 99)
    }
    await call('list', { filter: { limit: 3 } })
    await call('get', { ids: ['r1', 'nobody'] })
    await call('count', { scope: { metadata: { n: 3 } } })
    await call('tags', { scope: {} })
    await call('status', {})
    await call('verifyForgotten', { id: 'r1' })
    expect(totalChanges(database)).toBe(changes)
    expect(dump(database)).toBe(before)
  })

  it.each(everyPolicy)('[D2] neither recall nor why changes a row under %s', async (_name, policy) => {
    const { call, database } = await openOver({ space, metadataKeys: ['n'] })
    await call('put', { batch: someRecords() }, now)
    await call('checkFiles', { states: [{ path: 'src/nest.ts', exists: true }] }, now)
    const [before, changes] = [dump(database), totalChanges(database)]
    for (const asked of [
      { text: 'latest jay src/nest.ts' },
      {},
      { vector: new Float32Array(4).fill(1), text: 'jay' },
    ]) {
      const query = { ...asked, policy, files: ['nest'], prefer: { project: 'p1' }, collapse: 'near' as const }
      const { hits } = await call('recall', { query: { ...query, explain: true, capture: true } }, now + 99)
      for (const id of [hits[0]?.id ?? 'r0', 'r7', 'nobody']) await call('why', { query, id }, now + 99)
    }
    expect(totalChanges(database)).toBe(changes)
    expect(dump(database)).toBe(before)
  })

  it('[D2] control: a put does', async () => {
    const { call, database } = await openOver()
    const changes = totalChanges(database)
    await call('put', { batch: [{ body: 'jay' }] })
    expect(totalChanges(database)).toBeGreaterThan(changes)
  })
})

describe('patch', () => {
  it.each([undefined, null, 5, {}, ['r1']])(
    '[E1] the id %s is refused, the error names the field, and nothing changes',
    async (id) => {
      const { call, database } = await openOver({ space })
      await call('put', { batch: [{ id: 'r1', body: 'jay' }] }, now)
      const before = dump(database)
      await expect(call('patch', { id: id as unknown as string, fields: { body: 'crow' } }, now)).rejects.toMatchObject(
        {
          code: 'INVALID_ARGUMENT',
          field: 'id',
          hint: expect.any(String),
        },
      )
      expect(dump(database)).toBe(before)
    },
  )
})
