/** Tests writes that carry an operation id: a retry is not carried out again, and gets the first answer. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { Answer, Arguments, Method } from '../../../src/protocol/engine-api.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { dump } from '../../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const space = { name: 'three', dimensions: 3 }

/** Calls as the boundary does: with an operation id. */
function ask<V extends Method>(
  { engine }: Pick<OpenedOver, 'engine'>,
  method: V,
  request: Arguments<V>,
  operation: string | undefined,
  now = 1_000,
): Promise<Answer<V>> {
  return engine.call(method, request, { now, operation })
}

describe('an operation sent twice', () => {
  it('[T2] put: changes nothing the second time and answers the same, also in a new engine', async () => {
    const opened = await openOver({ space })
    await ask(
      opened,
      'put',
      {
        batch: [
          { id: 'old', body: 'one', title: 't' },
          { id: 'same', body: 's' },
        ],
      },
      'before',
    )
    const batch = [
      { id: 'new', body: 'text' },
      { id: 'old', body: 'two', title: 't' },
      { id: 'same', body: 's' },
      { id: 'low', body: 'x', writeScore: 0.01 },
      { id: 'bad', body: ' ' },
      { id: 'wrong', body: 'y', vectors: Float32Array.of(1, 2) },
      { body: 'no id of its own' },
      { id: 'new', body: 'text', tags: ['t'] },
    ]
    const first = await ask(opened, 'put', { batch }, 'op')
    expect(first.records.map(({ outcome }) => outcome)).toEqual([
      'inserted',
      'updated',
      'unchanged',
      'filtered',
      'rejected',
      'rejected',
      'inserted',
      'updated',
    ])
    const before = dump(opened.database)
    expect(await ask(opened, 'put', { batch }, 'op', 9_999)).toEqual(first)
    expect(await ask(opened.reopen(), 'put', { batch }, 'op', 9_999)).toEqual(first)
    expect(dump(opened.database)).toBe(before)
  })

  it('[T2] a retried put does not undo later writes of another caller', async () => {
    for (const [operation, left] of [
      ['op', 'second'],
      // Control: without an id the retry writes again.
      [undefined, 'first'],
    ] as const) {
      const opened = await openOver()
      await ask(opened, 'put', { batch: [{ id: 'a', body: 'first' }] }, operation)
      await ask(opened, 'put', { batch: [{ id: 'a', body: 'second' }] }, 'other')
      await ask(opened, 'put', { batch: [{ id: 'a', body: 'first' }] }, operation)
      expect((await ask(opened, 'get', { ids: ['a'] }, undefined))[0]?.body).toBe(left)
    }
  })

  it('[T2] a retried put does not restore a forgotten record', async () => {
    const opened = await openOver()
    const put = () => ask(opened, 'put', { batch: [{ id: 'a', body: 'text' }] }, 'put')
    const receipt = await put()
    await ask(opened, 'forget', { ids: ['a'] }, 'forget')
    expect(await put()).toEqual(receipt)
    expect(await ask(opened, 'count', { scope: {} }, undefined)).toBe(0)
  })

  it('[T2] patch answers the same, even when its record is gone', async () => {
    const opened = await openOver()
    await ask(opened, 'put', { batch: [{ id: 'a', body: 'text' }] }, 'put')
    const patch = () => ask(opened, 'patch', { id: 'a', fields: { title: 'title' } }, 'patch', 2_000)
    const receipt = await patch()
    expect(receipt.records).toEqual([{ id: 'a', outcome: 'updated', bodyChanged: true }])
    await ask(opened, 'forget', { ids: ['a'] }, 'forget')
    expect(await patch()).toEqual(receipt)
  })

  it('[T2] forget answers the same, by ids and by scope', async () => {
    const opened = await openOver()
    const batch = ['a', 'b', 'c'].map((id) => ({ id, body: id, tags: id === 'c' ? ['t'] : [] }))
    await ask(opened, 'put', { batch }, 'put')
    const byIds = () => ask(opened, 'forget', { ids: ['a', 'none', 'b'] }, 'ids')
    const byScope = () => ask(opened, 'forget', { scope: { tags: { any: ['t'] } } }, 'scope')
    const [ids, scope] = [await byIds(), await byScope()]
    expect([ids, scope]).toMatchObject([
      { forgotten: ['a', 'b'], missing: ['none'] },
      { forgotten: ['c'], missing: [] },
    ])
    await ask(opened, 'put', { batch }, 'again')
    expect([await byIds(), await byScope()]).toEqual([ids, scope])
    expect(await ask(opened, 'count', { scope: {} }, undefined)).toBe(3)
  })

  it('[T2] checkFiles does not undo later states of files', async () => {
    const opened = await openOver()
    await ask(opened, 'put', { batch: [{ id: 'a', body: 'x', files: [{ path: 'a.ts' }] }] }, 'put')
    const tell = (exists: boolean, operation: string | undefined) =>
      ask(opened, 'checkFiles', { states: [{ path: 'a.ts', exists }] }, operation)
    await tell(false, 'gone')
    await tell(true, 'back')
    const { revision } = await ask(opened, 'status', {}, undefined)
    await tell(false, 'gone')
    expect(await ask(opened, 'status', {}, undefined)).toMatchObject({ revision })
    await tell(false, undefined)
    expect(await ask(opened, 'status', {}, undefined)).toMatchObject({ revision: revision + 1 })
  })

  it('[T2] learning methods learn once, and answer the same', async () => {
    for (const operation of ['op', undefined]) {
      const opened = await openOver()
      await ask(opened, 'put', { batch: ['a', 'b'].map((id) => ({ id, body: id })) }, 'put')
      const named = (name: string) => operation && `${operation} ${name}`
      const lessons = [
        () => ask(opened, 'link', { a: 'a', b: 'b', weight: 0.2 }, named('link')),
        () => ask(opened, 'strengthen', { a: 'a', b: 'b' }, named('strengthen')),
        () => ask(opened, 'weakenLinks', {}, named('weaken')),
        () => ask(opened, 'predict', { id: 'a', expected: { x: 1 } }, named('predict')),
        () => ask(opened, 'resolvePrediction', { id: 'a', actual: { x: 2 } }, named('resolve')),
        () => ask(opened, 'acknowledge', { of: ['a'], outcomes: { a: 'acted' } }, named('acknowledge')),
      ]
      const answers: unknown[] = []
      for (const lesson of lessons) answers.push(await lesson())
      const before = dump(opened.database)
      const again: unknown[] = []
      for (const lesson of lessons) again.push(await lesson().catch((error: unknown) => String(error)))
      if (operation !== undefined) {
        expect(again).toEqual(answers)
        expect(dump(opened.database)).toBe(before)
      } else {
        // The control.
        expect(again).not.toEqual(answers)
        expect(dump(opened.database)).not.toBe(before)
      }
    }
  })

  it('[T2] acknowledged receipts are kept apart from writes, each with its own age limit', async () => {
    const opened = await openOver()
    await ask(opened, 'put', { batch: [{ id: 'a', body: 'text' }] }, 'put')
    const { receipt } = await ask(opened, 'recall', { query: { text: 'text' } }, undefined)
    const acknowledge = (now: number) =>
      ask(opened, 'acknowledge', { of: receipt, outcomes: { a: 'acted' } }, `ack ${now}`, now)
    await acknowledge(2_000)
    // A jump of the clock drops no write, and many revisions drop no receipt.
    await ask(opened, 'put', { batch: [{ id: 'b', body: 'text' }] }, 'jumped', 8e15)
    const names = () => all(opened.database, `SELECT operation FROM operations ORDER BY 1`, [], (row) => row.text(0))
    expect(names()).toHaveLength(4)
    const last = tuning.rememberedRevisions + 1_000
    opened.database.execute(`UPDATE settings SET value = ? WHERE name = 'revision'`, [last - 1])
    await ask(opened.reopen(), 'put', { batch: [{ id: 'c', body: 'text' }] }, 'last', 3_000)
    // The exported mark is the same in every release: devices count an outcome once by it.
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const { id, storeRevision, policyHash, queryHash, now, ids, digest } = receipt
    const receiptHash = sha256(JSON.stringify([id, storeRevision, policyHash, queryHash, now, ids, digest]))
    const mark = sha256(`${receiptHash}\na\nacted`).slice(0, 32)
    expect(names()).toEqual([`ack-${mark}`, 'write last'])
  })

  it('[T2] both may wait in one group of puts', async () => {
    const opened = await openOver()
    const put = (operation: string | undefined) => ask(opened, 'put', { batch: [{ id: 'a', body: 'x' }] }, operation)
    const [first, second] = await Promise.all([put('op'), put('op'), put('other')])
    expect(second).toEqual(first)
    const fresh = await openOver()
    const outcomes = await Promise.all(
      [1, 2].map(() => ask(fresh, 'put', { batch: [{ id: 'a', body: 'x' }] }, undefined)),
    )
    expect(outcomes.map(({ records }) => records[0]?.outcome)).toEqual(['inserted', 'unchanged'])
  })
})

describe('the stored reply', () => {
  it('[W2] is part of the transaction: a write that fails stores none', async () => {
    const opened = await openOver()
    opened.database.execute(`CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no more'); END`)
    await expect(ask(opened, 'put', { batch: [{ id: 'a', body: 'x' }] }, 'op')).rejects.toThrow()
    opened.database.execute(`DROP TRIGGER full`)
    const { records } = await ask(opened, 'put', { batch: [{ id: 'a', body: 'x' }] }, 'op')
    expect(records[0]?.outcome).toBe('inserted')
  })

  it('[W3] holds no text, and no id that the request named', async () => {
    const opened = await openOver({ space })
    const secret = 'secretword'
    const bad = { id: `${secret}-2`, body: 'x', vectors: Float32Array.of(1) }
    await ask(
      opened,
      'put',
      { batch: [{ id: secret, body: secret }, bad, { id: 'c', [secret]: secret } as never] },
      'p',
    )
    await ask(opened, 'forget', { ids: [secret] }, 'f')
    const answers = all(opened.database, `SELECT answer FROM operations`, [], (row) => row.text(0))
    expect(answers).toHaveLength(2)
    expect(answers.join()).not.toContain(secret)
  })

  it('is dropped after a number of revisions, and never by the clock', async () => {
    const opened = await openOver()
    const put = (i: number, now: number) =>
      ask(opened, 'put', { batch: [{ id: 'a', body: `text ${i}` }] }, `op ${i}`, now)
    await put(0, 8e15)
    await put(1, 0)
    const known = () => all(opened.database, `SELECT operation FROM operations`, [], (row) => row.text(0))
    expect(known()).toHaveLength(2)
    const revision = tuning.rememberedRevisions + 1_000
    opened.database.execute(`UPDATE settings SET value = ? WHERE name = 'revision'`, [revision - 1])
    const later = opened.reopen()
    await ask(later, 'put', { batch: [{ id: 'a', body: 'last' }] }, 'last')
    expect(known()).toEqual(['write last'])
  })

  it.each(['', 'x'.repeat(129), 5, null])('[E1] a malformed operation id is refused: %j', async (operation) => {
    const opened = await openOver()
    await expect(ask(opened, 'count', { scope: {} }, operation as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'operation',
    })
  })

  it('[E1] another request under the same id is refused', async () => {
    const opened = await openOver()
    await ask(opened, 'put', { batch: [{ id: 'a', body: 'x' }] }, 'op')
    for (const wrong of [
      ask(
        opened,
        'put',
        {
          batch: [
            { id: 'a', body: 'x' },
            { id: 'b', body: 'y' },
          ],
        },
        'op',
      ),
      ask(opened, 'forget', { ids: ['a'] }, 'op'),
    ]) {
      await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'operation' })
    }
  })
})
