/** Tests that the order in which devices meet does not matter when changes are merged by field [R13]: also for vectors, and with older exports. */
import { describe, expect, test } from 'vitest'
import { first } from '../../../worker/sqlite/database.ts'
import { sized } from '../../support/data/sized.ts'
import { base, bytesOf, get, open, openEqual, patch } from '../../support/stores/equal-devices.ts'
import { frozenStores } from '../../support/stores/frozen-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import type { OpenedOver } from '../../support/stores/open-over.ts'
import { contentOf, exported, imported } from '../../support/stores/portable.ts'

const hour = 3_600_000

describe('[R1] [R2] [R13] three devices', () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const

  const cases = [
    ['each another field', [{ title: 'Other' }, { body: 'other' }, { tags: ['first', 'second', 'third'] }]],
    ['the same field', [{ body: 'one' }, { body: 'two' }, { body: 'three' }]],
    ['texts of which one is cleared', [{ title: null }, { body: 'two' }, { body: null }]],
    [
      'tags that one removes',
      [{ tags: ['second'] }, { tags: ['second', 'first'] }, { tags: ['first', 'second', 'x'] }],
    ],
    ['metadata', [{ metadata: { colour: 'blue', size: 1 } }, { metadata: { size: 2 } }, { metadata: {} }]],
  ] as const

  // The others in a long run.
  test.each(cases.slice(0, sized(5)))('%s: every order of meetings gives the same bytes', async (_name, changes) => {
    for (const clocks of [
      [3, 1, 2],
      [5, 5, 5],
    ]) {
      const devices = await openEqual(['a', 'b', 'c'], [base])
      for (const [i, device] of devices.entries()) await patch(device, 'plan', changes[i]!, clocks[i]! * hour)
      const parts = await Promise.all(devices.map((device) => exported(device)))
      const results = new Set<string>()
      for (const order of orders) {
        const device = await open('fresh')
        for (const i of order) await imported(device, parts[i]!, 'merge')
        results.add(await bytesOf(device))
        // In another grouping, and restarted between.
        const [one, two, three] = order.map((i) => parts[i]!) as [Uint8Array, Uint8Array, Uint8Array]
        const other = await open('fresh')
        await imported(other, two, 'merge')
        const again = other.reopen()
        await imported(again, three, 'merge')
        const last = await open('fresh')
        await imported(last, one, 'merge')
        await imported(last, await exported(again), 'merge')
        results.add(await bytesOf(last))
      }
      expect(results.size).toBe(1)
    }
  })
})

describe('vectors', () => {
  const vector = (of: number) => Float32Array.from({ length: 8 }, (_, i) => (i === of ? 1 : 0))
  const hasVectors = (device: OpenedOver) =>
    first(device.database, `SELECT count(*) FROM vectors`, [], (row) => row.number(0)) ?? 0

  test('stay with a text that only one side changed, and leave a text made of both', async () => {
    const batch = ['tagged', 'mixed'].map((id) => ({ ...base, id, vectors: vector(0) }))
    const [phone, laptop] = (await openEqual(['phone', 'laptop'], batch)) as [OpenedOver, OpenedOver]
    for (const id of ['tagged', 'mixed']) await patch(laptop, id, { body: 'new', vectors: vector(1) }, 1)
    await patch(phone, 'tagged', { tags: [] }, 2)
    await patch(phone, 'mixed', { title: 'new', vectors: vector(2) }, 2)
    const bytes = await exported(phone)
    await imported(phone, await exported(laptop), 'merge')
    await imported(laptop, bytes, 'merge')
    for (const device of [phone, laptop]) {
      expect(hasVectors(device)).toBe(1)
      const { hits } = await device.call('recall', { query: { vector: vector(1), limit: 5 } })
      expect(hits[0]?.record.id).toBe('tagged')
      expect(await device.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    }
    expect(await bytesOf(phone)).toBe(await bytesOf(laptop))
  })
})

describe('exports of older versions', () => {
  test.each(frozenStores())(
    'of version $version: an edit is merged with what the export had',
    async ({ exported: old }) => {
      const [phone, laptop] = await Promise.all(['phone', 'laptop'].map(open))
      for (const device of [phone!, laptop!]) await imported(device, old, 'merge')
      const [record] = (await phone!.call('list', { filter: {} })).items
      const at = startOfTime * 2
      await patch(phone!, record!.id, { body: 'new' }, at)
      await patch(laptop!, record!.id, { importance: 7 }, at + 1)
      const bytes = await exported(phone!)
      await imported(phone!, await exported(laptop!), 'merge')
      await imported(laptop!, bytes, 'merge')
      expect(await get(phone!, record!.id)).toMatchObject({ body: 'new', importance: 7 })
      expect(contentOf(await exported(phone!))).toEqual(contentOf(await exported(laptop!)))
      // The older export has nothing that is newer.
      expect(await imported(phone!, old, 'merge')).toMatchObject({ updated: 0, conflicts: 0 })
    },
  )
})
