/** [H5] Tests that extracted facts die with the last of their turns when a merge brings the deletion, on every device, in any order. */
import { expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const turns: readonly RecordInput[] = ['t1', 't2'].map((id) => ({ id, kind: 'turn', body: `turn ${id}` }))
const fact = (id: string, from: readonly string[], extracted = true): RecordInput => ({
  id,
  kind: 'fact',
  body: `fact ${id}`,
  metadata: extracted ? { extracted } : {},
  relations: from.map((target) => ({ kind: 'derived_from', target })),
})
const facts = [fact('f', ['t1', 't2']), fact('of-f', ['f']), fact('by-hand', ['t1'], false), fact('unknown', ['never'])]

const idsOf = async ({ call }: OpenedOver) =>
  (await call('list', { filter: { limit: 100 } })).items.map(({ id }) => id).sort()
const tombstones = ({ database }: OpenedOver) =>
  all(database, `SELECT mark, life, stamp_at, stamp_count, stamp_device FROM tombstones ORDER BY mark`, [], (row) =>
    [row.text(0), row.number(1), row.number(2), row.number(3), row.text(4)].join(' '),
  )

/** The phone has the turns, the laptop also what was read in them. */
async function devices() {
  const [phone, laptop] = [await openOver(), await openOver()]
  await phone.call('put', { batch: turns })
  await imported(laptop, await exported(phone), 'merge')
  await laptop.call('put', { batch: facts }, startOfTime + 1)
  return { phone, laptop }
}

test('[H5] facts stay while one of their turns does, and die with the last', async () => {
  const { phone, laptop } = await devices()
  await phone.call('forget', { ids: ['t1'] }, startOfTime + 2)
  expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ removed: 1 })
  expect(await idsOf(laptop)).toEqual(['by-hand', 'f', 'of-f', 't2', 'unknown'])
  await phone.call('forget', { ids: ['t2'] }, startOfTime + 3)
  expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ removed: 3 })
  // Control: what somebody wrote, and a fact of turns that no one forgot, stay.
  expect(await idsOf(laptop)).toEqual(['by-hand', 'unknown'])
  const { hits } = await laptop.call('recall', { query: { text: 'fact f' } })
  expect(hits.map(({ id }) => id).sort()).toEqual(['by-hand', 'unknown'])
  expect(await imported(laptop, await exported(phone), 'merge')).toMatchObject({ removed: 0 })
})

test('[H5] a fact that comes after the deletion is not kept, and both devices end alike', async () => {
  const { phone, laptop } = await devices()
  await phone.call('forget', { ids: ['t1', 't2'] }, startOfTime + 2)
  const late = await exported(laptop)
  await imported(laptop, await exported(phone), 'merge')
  await imported(phone, late, 'merge')
  for (const device of [phone, laptop]) expect(await idsOf(device)).toEqual(['by-hand', 'unknown'])
  await imported(phone, await exported(laptop), 'merge')
  await imported(laptop, await exported(phone), 'merge')
  expect(tombstones(phone)).toEqual(tombstones(laptop))
  expect(tombstones(phone)).toHaveLength(4)
})
