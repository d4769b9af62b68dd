/** Tests what the store keeps for merging: the stamp of each version, lives, tombstones, and the clock from which stamps are taken. */
import { describe, expect, test } from 'vitest'
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import { compareStamps } from '../../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../../src/core/merge/tombstone-mark.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { frozenStores, thaw } from '../../support/stores/frozen-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { portableOptions } from '../../support/stores/portable.ts'

interface Row {
  readonly life: number
  readonly stamp: Stamp | null
}

function rowOf({ database }: OpenedOver, id: string): Row | undefined {
  const sql = `SELECT life, stamp_at, stamp_count, stamp_device FROM records WHERE id = ?`
  return all(database, sql, [id], (row) => ({
    life: row.number(0),
    stamp: row.numberOrNull(1) === null ? null : { at: row.number(1), count: row.number(2), device: row.text(3) },
  }))[0]
}

function stampOf(opened: OpenedOver, id: string): Stamp {
  return rowOf(opened, id)!.stamp!
}

function tombstones({ database }: OpenedOver): readonly (readonly [mark: string, life: number])[] {
  return all(database, `SELECT mark, life FROM tombstones ORDER BY mark`, [], (row) => [row.text(0), row.number(1)])
}

const put = ({ call }: OpenedOver, id: string, body: string, now = startOfTime) =>
  call('put', { batch: [{ id, body }] }, now)

describe('stamps', () => {
  test('rise with every change, also when the clock was set back and after the store was opened again', async () => {
    const opened = await openOver()
    const stamps: Stamp[] = []
    for (const [i, now] of [0, 0, -1e9, 5, 4].entries()) {
      await put(opened, 'a', `text ${i}`, startOfTime + now)
      stamps.push(stampOf(opened, 'a'))
    }
    const again = opened.reopen()
    await again.call('patch', { id: 'a', fields: { tags: ['x'] } }, startOfTime - 1e9)
    stamps.push(stampOf(again, 'a'))
    expect([...stamps].sort(compareStamps)).toEqual(stamps)
    expect(new Set(stamps.map((stamp) => JSON.stringify(stamp))).size).toBe(stamps.length)
    expect(stamps[0]).toEqual({ at: startOfTime, count: 0, device: expect.stringMatching(/^[0-9a-f]{16}$/) })
  })

  test('stay when the same record is put again', async () => {
    const opened = await openOver()
    await put(opened, 'a', 'text')
    const before = stampOf(opened, 'a')
    await put(opened, 'a', 'text', startOfTime + 1000)
    expect(stampOf(opened, 'a')).toEqual(before)
    expect((await opened.call('get', { ids: ['a'] }))[0]?.updatedAt).toBe(startOfTime + 1000)
  })

  test('of one batch follow its order', async () => {
    const opened = await openOver()
    const ids = ['c', 'a', 'b']
    await opened.call('put', { batch: ids.map((id) => ({ id, body: id })) })
    expect(ids.map((id) => stampOf(opened, id).count)).toEqual([0, 1, 2])
  })

  test('that a failed write took are taken again', async () => {
    const opened = await openOver()
    await put(opened, 'a', 'text')
    opened.database.execute(`CREATE TRIGGER refuse BEFORE INSERT ON tags BEGIN SELECT raise(ABORT, 'refused'); END`)
    await expect(opened.call('put', { batch: [{ id: 'b', body: 'b', tags: ['x'] }] })).rejects.toThrow()
    opened.database.execute(`DROP TRIGGER refuse`)
    await put(opened, 'c', 'text')
    expect([stampOf(opened, 'a').count, stampOf(opened, 'c').count]).toEqual([0, 1])
  })
})

describe('lives', () => {
  test('end with a tombstone without the id, and the next put begins the next life', async () => {
    const opened = await openOver()
    for (const life of [0, 1, 2]) {
      await put(opened, 'a', `life ${life}`)
      expect([rowOf(opened, 'a')?.life, tombstones(opened)]).toEqual([life, []])
      await opened.call('forget', { ids: ['a', 'never put'] })
      expect(tombstones(opened)).toEqual([[tombstoneMark('a'), life]])
    }
    expect(await opened.call('verifyForgotten', { id: 'a' })).toMatchObject({ clean: true })
  })

  test('go on through updates, a new key and another space of vectors', async () => {
    const opened = await openOver(portableOptions)
    await put(opened, 'a', 'first')
    await opened.call('forget', { ids: ['a'] })
    await opened.call('put', { batch: [{ id: 'a', body: 'second', vectors: new Float32Array(8).fill(1) }] })
    await opened.call('patch', { id: 'a', fields: { project: 'wren' } })
    await opened.call('put', { batch: [{ id: 'a', body: 'third', vectors: new Float32Array(8).fill(2) }] })
    expect(rowOf(opened, 'a')?.life).toBe(1)
  })
})

test('[M1] a store of an older version gets no stamps until its records change, and then counts lives', async () => {
  const { database: bytes } = frozenStores().find(({ version }) => version === 4)!
  const opened = await openOver(portableOptions, null, (database) => thaw(database, bytes))
  const [first, second] = (await opened.call('list', { filter: { limit: 2 } })).items.map(({ id }) => id) as [
    string,
    string,
  ]
  expect(rowOf(opened, first)).toEqual({ life: 0, stamp: null })
  await put(opened, first, 'changed')
  expect(stampOf(opened, first)).toMatchObject({ at: startOfTime, count: 0 })
  await opened.call('forget', { ids: [second] })
  expect(tombstones(opened)).toEqual([[tombstoneMark(second), 0]])
  expect(await opened.call('integrityCheck', {})).toMatchObject({ ok: true })
})
