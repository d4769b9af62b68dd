/**
 * Tests export and import: equal content gives equal bytes, an imported store recalls the same, and an export is of one
 * revision.
 */
import { describe, expect, test } from 'vitest'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { exported, imported, openRich, portableOptions } from '../../support/stores/portable.ts'

const queries = ['jay acorn', 'café', '橡子', 'TypeError in src/app.ts', 'worm oak cache failure']

async function answers({ call }: Awaited<ReturnType<typeof openRich>>): Promise<readonly string[]> {
  const made: string[] = []
  for (const policy of ['balanced', 'tokenpak', 'ctxsift', 'secondBrain'] as const) {
    for (const [i, text] of queries.entries()) {
      const query = { text, limit: 20, ledger: true, policy, vector: createRandom(i).vector(8) }
      made.push(comparable(await call('recall', { query }, startOfTime + 1e8)))
    }
  }
  return made
}

function comparable({ tookMs: _took, receipt, ...result }: RecallResult): string {
  // The id of a receipt covers the revision.
  const { storeRevision: _revision, id: _id, ...kept } = receipt
  return canonicalJson({ ...result, receipt: kept })
}

describe('a round trip', () => {
  test('[X1] export then import gives equal recall results under every policy, and the same bytes again', async () => {
    const source = await openRich()
    const bytes = await exported(source)
    const copy = await openOver(portableOptions)
    const receipt = await imported(copy, bytes)
    expect(receipt).toMatchObject({ mode: 'replace', read: 60, inserted: 60, updated: 0, removed: 0, differing: [] })
    expect(await exported(copy)).toEqual(bytes)
    expect(await answers(copy)).toEqual(await answers(source))
    // All derived data that was kept up to date equals rebuilt data.
    expect(await answers(copy.reopen())).toEqual(await answers(source))
    expect(await copy.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
  })

  test('[X1] control: one record less gives other answers', async () => {
    const source = await openRich()
    const before = await answers(source)
    await source.call('forget', {
      ids: [(await source.call('recall', { query: { text: 'jay' } })).hits[0]?.record.id ?? ''],
    })
    expect(await answers(source)).not.toEqual(before)
  })

  test('equal content gives equal bytes, whatever its history', async () => {
    const source = await openRich()
    const other = await openOver(portableOptions)
    await imported(other, await exported(await openRich(40, 2)), 'replace')
    await other.call('put', { batch: [{ id: 'passing', body: 'by' }] })
    await imported(other, await exported(source), 'replace')
    expect(await exported(other)).toEqual(await exported(source))
  })

  test('an empty store can be exported, too', async () => {
    const bytes = await exported(await openOver())
    const target = await openRich()
    await expect(imported(target, bytes)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'metadataKeys' })
    const empty = await exported(await openOver(portableOptions))
    expect(await imported(target, empty)).toMatchObject({ read: 0, removed: 60 })
    expect(await target.call('count', { scope: {} })).toBe(0)
    expect(await exported(target)).toEqual(empty)
  })

  test('[M1] learned state is exported: state, links, predictions, proposals, files', async () => {
    const source = await openRich()
    const copy = await openOver(portableOptions)
    await imported(copy, await exported(source))
    for (const table of ['accesses', 'cycles', 'predictions', 'proposals', 'links', 'file_states']) {
      const sql = `SELECT count(*) FROM ${table}`
      const counts: number[] = []
      for (const { database } of [source, copy]) database.each(sql, [], (row) => counts.push(row.number(0)))
      expect([table, counts[0]]).toEqual([table, counts[1]])
      expect(counts[0]).toBeGreaterThan(0)
    }
  })

  test('[X1] a prediction with the wrong sign, whose error is above 1, is imported again', async () => {
    const source = await openOver(portableOptions)
    await source.call('put', { batch: [{ id: 'a', body: 'jay' }] })
    await source.call('predict', { id: 'a', expected: { profit: 10 } })
    const { error } = await source.call('resolvePrediction', { id: 'a', actual: { profit: -10 } })
    expect(error).toBe(2)
    const copy = await openOver(portableOptions)
    await imported(copy, await exported(source))
    expect(await exported(copy)).toEqual(await exported(source))
  })

  test('a merge reports options that differ', async () => {
    const plain = await openOver({ stemmer: 'none' })
    expect(await imported(plain, await exported(await openRich()), 'merge')).toMatchObject({
      inserted: 60,
      differing: ['stemmer', 'metadataKeys'],
    })
  })

  test('[V4] vectors of another space stay apart, and lexical recall finds their records', async () => {
    const bytes = await exported(await openRich())
    const copy = await openOver({ ...portableOptions, space: { name: 'other', dimensions: 4 } })
    await imported(copy, bytes)
    const { vectors } = await copy.call('status', {})
    expect(vectors.current).toBe(0)
    expect(vectors.otherSpaces).toBeGreaterThan(0)
    expect((await copy.call('recall', { query: { text: 'jay acorn' } })).hits.length).toBeGreaterThan(0)
    expect(await exported(copy)).toEqual(bytes)
    const third = await openOver({ ...portableOptions, space: { name: 'eight', dimensions: 4 } })
    const before = dump(third.database)
    await expect(imported(third, bytes)).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
    expect(dump(third.database)).toBe(before)
  })
})

describe('one consistent revision', () => {
  test('writes of every kind during an export do not change the export', async () => {
    const source = await openRich(400)
    const before = await exported(source)
    const ids = (await source.call('list', { filter: { limit: 400 } })).items.map(({ id }) => id)
    const random = createRandom(5)
    let parts = 0
    const during = await exported(source, async (part) => {
      parts = part + 1
      const some = random.shuffled(ids)
      await source.call('forget', { ids: some.slice(0, 40) })
      await source.call('put', { batch: some.slice(40, 60).map((id) => ({ id, body: `rewritten ${id}` })) })
      await source.call('put', {
        batch: [
          { id: `id 0 ${part}`, body: 'new' },
          { id: `zz ${part}`, body: 'new' },
        ],
      })
      await source
        .call('acknowledge', {
          of: some.slice(60, 70),
          outcomes: Object.fromEntries(some.slice(60, 70).map((id) => [id, 'acted'])),
        })
        .catch(() => undefined)
      await source.call('weakenLinks', { factor: 0.9 })
      await source.call('checkFiles', { states: [{ path: `new ${part}`, exists: true }] })
    })
    expect(parts).toBeGreaterThan(1)
    expect(Buffer.from(during).equals(Buffer.from(before))).toBe(true)
    // Control: the store has changed by now.
    expect(Buffer.from(await exported(source)).equals(Buffer.from(before))).toBe(false)
    expect(await source.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
  })

  test('[W3] the copy that an export keeps of a forgotten record is reported until the export ends', async () => {
    const source = await openRich(400)
    const [last] = (await source.call('list', { filter: { limit: 400 } })).items
      .map(({ id }) => id)
      .sort()
      .reverse()
    await source.call('exportPart', { export: 'running', part: 0 })
    await source.call('forget', { ids: [last!] })
    expect((await source.call('verifyForgotten', { id: last! })).clean).toBe(false)
    await source.call('endExport', { export: 'running' })
    expect((await source.call('verifyForgotten', { id: last! })).clean).toBe(true)
  })

  test('chunks are read in order, and the last one may be read again; a lost export says so', async () => {
    const source = await openRich()
    const first = await source.call('exportPart', { export: 'one', part: 0 })
    expect(await source.call('exportPart', { export: 'one', part: 0 })).toEqual(first)
    await expect(source.call('exportPart', { export: 'one', part: 5 })).rejects.toMatchObject({ code: 'LEADER_LOST' })
    await expect(source.reopen().call('exportPart', { export: 'one', part: 1 })).rejects.toMatchObject({
      code: 'LEADER_LOST',
    })
  })
})

test('a write succeeds, without an error, when an export cannot keep a copy of its record', async () => {
  const source = await openRich(400)
  await source.call('exportPart', { export: 'first', part: 0 })
  // Its metadata cannot be read, so the copy cannot be made.
  const last = (await source.call('list', { filter: { limit: 400 } })).items
    .map(({ id }) => id)
    .sort()
    .at(-1)!
  source.database.execute(`UPDATE records SET metadata = '{' WHERE id = ?`, [last])
  await source.call('exportPart', { export: 'second', part: 0 })
  const receipt = await source.call('put', { batch: [{ id: last, body: 'sound again' }] })
  expect(receipt.records[0]).toMatchObject({ outcome: 'updated' })
  await expect(source.call('exportPart', { export: 'second', part: 1 })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  })
  await source.call('endExport', { export: 'first' })
  expect((await exported(source)).length).toBeGreaterThan(1000)
})
