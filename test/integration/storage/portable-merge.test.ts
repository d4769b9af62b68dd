/** Checks imports that merge: which version of a record and which learned state remain. */
import { describe, expect, test } from 'vitest'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { exported, imported, openRich, portableOptions } from '../../support/stores/portable.ts'

/** As records are that an older version wrote. */
const removeStamps = `UPDATE records SET stamp_at = NULL, stamp_count = NULL, stamp_device = NULL, fields = NULL`

describe('merge', () => {
  test('the later change wins, whatever updatedAt was given, in either order', async () => {
    const a = await openOver()
    const b = await openOver()
    const put = (engine: typeof a, id: string, body: string, at: number, updatedAt: number) =>
      engine.call('put', { batch: [{ id, body, createdAt: 0, updatedAt }] }, startOfTime + at)
    await put(b, 'newer in a', 'b', 3, 9)
    await put(a, 'newer in b', 'a', 3, 9)
    for (const [engine, body] of [
      [a, 'one'],
      [b, 'two'],
    ] as const)
      await put(engine, 'tie', body, 5, 5)
    await put(a, 'newer in a', 'a', 9, 3)
    await put(b, 'newer in b', 'b', 9, 3)
    await put(a, 'only a', 'a', 10, 1)
    await put(b, 'only b', 'b', 10, 1)
    const [fromA, fromB] = [await exported(a), await exported(b)]
    const ab = await openOver()
    const ba = await openOver()
    await imported(ab, fromA, 'merge')
    expect(await imported(ab, fromB, 'merge')).toMatchObject({ read: 4, inserted: 1 })
    await imported(ba, fromB, 'merge')
    await imported(ba, fromA, 'merge')
    expect(await exported(ab)).toEqual(await exported(ba))
    const bodies = await ab.call('get', { ids: ['newer in a', 'newer in b', 'tie'] })
    expect(bodies.map((record) => record?.body)).toEqual(['a', 'b', expect.stringMatching(/^(one|two)$/)])
  })

  describe.each([
    ['went back', startOfTime - 1e9],
    ['went on', startOfTime + 1e9],
  ])('an older export, when the clock %s since it was made', (_name, later) => {
    const ids = Array.from({ length: 20 }, (_, i) => `r${i}`)
    const changedSince = async (change: (opened: Awaited<ReturnType<typeof openOver>>) => Promise<unknown>) => {
      const opened = await openOver()
      await opened.call('put', { batch: ids.map((id) => ({ id, body: `acorn ${id}` })) }, startOfTime)
      const backup = await exported(opened)
      await change(opened)
      const records = await opened.call('get', { ids })
      await imported(opened, backup, 'merge')
      return { before: records, after: await opened.call('get', { ids }), opened, backup }
    }

    test('does not undo a later put or patch', async () => {
      const { before, after, opened, backup } = await changedSince(async ({ call }) => {
        await call('put', { batch: ids.slice(0, 5).map((id) => ({ id, body: `beech ${id}` })) }, later)
        for (const id of ids.slice(5, 10)) await call('patch', { id, fields: { body: `beech ${id}` } }, later)
        for (const id of ids.slice(10, 15)) await call('patch', { id, fields: { tags: ['seen'] } }, later)
        for (const id of ids.slice(15))
          await call('patch', { id, fields: { reasons: [{ code: 'user_pinned' }] } }, later)
      })
      expect(after).toEqual(before)
      // A store that has the older export takes every change.
      const other = await openOver()
      await imported(other, backup)
      await imported(other, await exported(opened), 'merge')
      expect(await other.call('get', { ids })).toEqual(before)
    })

    test('control: brings back some texts of records that lost their stamps', async () => {
      const { before, after } = await changedSince(async ({ call, database }) => {
        await call('put', { batch: ids.map((id) => ({ id, body: `beech ${id}`, updatedAt: startOfTime })) }, later)
        database.execute(removeStamps)
      })
      expect(after).not.toEqual(before)
    })
  })

  test('of two texts with the same time and without stamps the one with the higher content hash always stays', async () => {
    const count = 40
    const store = async (word: string) => {
      const opened = await openOver()
      const batch = Array.from({ length: count }, (_, i) => ({
        id: `r${i}`,
        body: `${word} ${i}`,
        updatedAt: 5,
        createdAt: 0,
      }))
      await opened.call('put', { batch })
      opened.database.execute(removeStamps)
      return opened
    }
    const [left, right] = [await store('acorn'), await store('beech')]
    const ids = Array.from({ length: count }, (_, i) => `r${i}`)
    const hashesOf = async ({ call }: typeof left) =>
      (await call('get', { ids })).map((record) => record?.contentHash ?? '')
    const [ofLeft, ofRight] = [await hashesOf(left), await hashesOf(right)]
    const higher = ofLeft.map((hash, i) => (hash > ofRight[i]! ? hash : ofRight[i]))
    // Neither side always wins.
    expect(higher).not.toEqual(ofLeft)
    expect(higher).not.toEqual(ofRight)
    await imported(left, await exported(right), 'merge')
    expect(await hashesOf(left)).toEqual(higher)
    await imported(right, await exported(await store('acorn')), 'merge')
    expect(await hashesOf(right)).toEqual(higher)
  })

  test('learned state is the same in either order, and after a second merge', async () => {
    const [left, right] = [await exported(await openRich(50, 3)), await exported(await variant())]
    const made: Uint8Array[] = []
    for (const order of [
      [left, right],
      [right, left],
      [left, right, left, right],
    ]) {
      const target = await openOver(portableOptions)
      for (const bytes of order) await imported(target, bytes, 'merge')
      made.push(await exported(target))
      expect(await target.call('integrityCheck', {})).toMatchObject({ ok: true })
    }
    expect(made[1]).toEqual(made[0])
    expect(made[2]).toEqual(made[0])
  })

  test('a merge that changes nothing raises no revision', async () => {
    const source = await openRich()
    const revision = (await source.call('status', {})).revision
    expect(await imported(source, await exported(source), 'merge')).toMatchObject({ unchanged: 60, revision, links: 0 })
  })
})

/** The store of seed 3, with some more learned state. */
async function variant() {
  const opened = await openRich(50, 3)
  const ids = (await opened.call('list', { filter: {} })).items.map(({ id }) => id)
  for (const [i, id] of ids.entries()) {
    if (i % 2 === 0) await opened.call('acknowledge', { of: [id], outcomes: { [id]: 'contradicted' } }, startOfTime + 5)
    if (i % 3 === 0) await opened.call('put', { batch: [{ id, body: `later ${i}` }] }, startOfTime + 6)
    if (i % 5 === 0) await opened.call('link', { a: id, b: ids[(i + 2) % ids.length]!, weight: 0.9 })
  }
  return opened
}
