/**
 * Tests export and import: equal content gives equal bytes, an imported store recalls the same, and an import is
 * applied completely or not at all.
 */
import { describe, expect, test } from 'vitest'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { frozenStores } from '../../support/stores/frozen-store.ts'
import { exported, imported, openRich, portableOptions, resealed } from '../../support/stores/portable.ts'

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
    const source = await openRich(900)
    const before = await exported(source)
    const ids = (await source.call('list', { filter: { limit: 900 } })).items.map(({ id }) => id)
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
    const source = await openRich(900)
    const [last] = (await source.call('list', { filter: { limit: 900 } })).items
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
  const source = await openRich(900)
  await source.call('exportPart', { export: 'first', part: 0 })
  // Its metadata cannot be read, so the copy cannot be made.
  const last = (await source.call('list', { filter: { limit: 900 } })).items
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

/** As records are that an older version wrote. */
const removeStamps = `UPDATE records SET stamp_at = NULL, stamp_count = NULL, stamp_device = NULL`

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

describe('a refused import changes nothing', () => {
  const refusals: readonly (readonly [string, (sound: Uint8Array) => Uint8Array, string])[] = [
    ['nothing', () => new Uint8Array(0), 'INVALID_ARGUMENT'],
    ['something else', () => new TextEncoder().encode('SQLite format 3\0 and so on'), 'INVALID_ARGUMENT'],
    ['a newer format', (bytes) => bytes.with(8, 3), 'STORE_NEWER'],
    ['the end missing', (bytes) => bytes.slice(0, -1), 'INVALID_ARGUMENT'],
    ['something behind it', (bytes) => Uint8Array.from([...bytes, 0]), 'INVALID_ARGUMENT'],
    ['a flipped bit', (bytes) => bytes.with(500, bytes[500]! ^ 1), 'INVALID_ARGUMENT'],
    ['an unknown field', (bytes) => resealed(bytes, replacing('"kind":', '"kond":')), 'INVALID_RECORD'],
    ['a prototype', (bytes) => resealed(bytes, replacing('"importance"', '"__proto__" ')), 'INVALID_RECORD'],
    ['a forged hash', (bytes) => resealed(bytes, replacing('"contentHash":"', '"contentHash":"', 1)), 'INVALID_RECORD'],
    ['another count', (bytes) => resealed(bytes, replacing('"records":60', '"records":61')), 'INVALID_ARGUMENT'],
    ['no JSON', (bytes) => resealed(bytes, replacing('{"predictions"', '["predictions"')), 'INVALID_ARGUMENT'],
  ]

  test.each(refusals)('%s', async (_name, damage, code) => {
    const target = await openRich(10, 9)
    const before = dump(target.database)
    const sound = await exported(await openRich())
    const bytes = damage(sound)
    expect(Buffer.from(bytes).equals(Buffer.from(sound))).toBe(false)
    for (const mode of ['merge', 'replace'] as const)
      await expect(imported(target, bytes, mode)).rejects.toMatchObject({ code })
    expect(dump(target.database)).toBe(before)
  })

  test.each([
    ['learned.confidence.evidence', '1000000001'],
    ['learned.confidence.corroborations', '9007199254740991'],
    ['learned.confidence.contradictions', '-1'],
    ['learned.confidence.evidence', '0.5'],
    ['learned.accessCount', '1000000001'],
  ])('[E1] a count out of bounds in an export of version 8: %s of %s', async (field, value) => {
    const target = await openRich(10, 9)
    const before = dump(target.database)
    const sound = frozenStores()[7]!.exported
    const name = field.split('.').at(-1)!
    const withCount = (count: string) =>
      resealed(
        sound,
        rewriting((block) => block.replace(new RegExp(`"${name}":\\d+`), `"${name}":${count}`)),
      )
    const refused = await imported(target, withCount(value), 'merge').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'INVALID_RECORD', field: `source.${field}` })
    expect(dump(target.database)).toBe(before)
    // control: the same file with the largest count allowed.
    await imported(await openOver(portableOptions), withCount('1000000000'), 'merge')
  })

  test.each([
    ['one id twice', (frames: readonly Buffer[]) => [frames[0], frames[1], frames[1]]],
    ['ids out of order', (frames: readonly Buffer[]) => [frames[0], frames[2], frames[1]]],
  ])('%s', async (_name, change) => {
    const source = await openOver()
    await source.call('put', { batch: ['a', 'b'].map((id) => ({ id, body: `text of ${id}` })) })
    const target = await openOver()
    await target.call('put', { batch: [{ id: 'kept', body: 'kept' }] })
    const before = dump(target.database)
    const bytes = resealed(await exported(source), (content) => Buffer.concat(change(framesOf(content)) as Buffer[]))
    for (const mode of ['merge', 'replace'] as const)
      await expect(imported(target, bytes, mode)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('record 1 is not in order'),
      })
    expect(dump(target.database)).toBe(before)
  })

  test('control: with new checksums and no change it is imported', async () => {
    const bytes = await exported(await openRich())
    const same = resealed(bytes, (content) => content)
    expect(Buffer.from(same).equals(Buffer.from(bytes))).toBe(true)
    await imported(await openOver(portableOptions), same)
  })

  test('an unknown mode and a chunk out of order are refused', async () => {
    const { call } = await openOver()
    await call('importPart', { import: 'x', at: 0, bytes: new Uint8Array(3) }).catch(() => undefined)
    await expect(call('importPart', { import: 'x', at: 9, bytes: new Uint8Array(3) })).rejects.toMatchObject({
      code: 'LEADER_LOST',
    })
    await expect(call('finishImport', { import: 'x', mode: 'mix' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'mode',
    })
  })
})

/** Replaces the first occurrence by a text of the same length; `skew` also changes the character after it. */
function replacing(from: string, to: string, skew = 0): (content: Buffer) => Uint8Array {
  return (content) => {
    const at = content.indexOf(from)
    if (at === -1) throw new Error(`no ${from} in the export`)
    const copy = Buffer.from(content)
    // Each frame begins with its length.
    copy.write(to.padEnd(from.length).slice(0, from.length), at)
    if (skew > 0) copy[at + from.length] = copy[at + from.length] === 0x61 ? 0x62 : 0x61
    return copy
  }
}

/** Changes the JSON of each record. */
function rewriting(change: (block: string) => string): (content: Buffer) => Uint8Array {
  return (content) =>
    Buffer.concat(
      framesOf(content).map((frame) => {
        if (frame[0] !== 2) return frame
        const json = Buffer.from(change(frame.subarray(5).toString()))
        const head = Buffer.from(frame.subarray(0, 5))
        head.writeUInt32LE(json.length, 1)
        return Buffer.concat([head, json])
      }),
    )
}

/** A kind, a length of four bytes and the content, each. */
function framesOf(content: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const end = at + 5 + content.readUInt32LE(at + 1)
    frames.push(content.subarray(at, end))
    at = end
  }
  return frames
}
