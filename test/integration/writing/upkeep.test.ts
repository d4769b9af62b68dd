/**
 * Tests that integrityCheck finds damage and repairs derived data; compact leaves no free page and no forgotten byte.
 */
import { describe, expect, test } from 'vitest'
import type { IntegrityReport } from '../../../src/core/model/receipts.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { Arguments, Method } from '../../../src/protocol/engine-api.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createFaultyDatabase } from '../../support/stores/faulty-database.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, openRich, portableOptions } from '../../support/stores/portable.ts'

const sound: IntegrityReport = { ok: true, sqlite: 'ok', fts: 'ok', vectors: 'ok', derived: 'ok', problems: [] }

describe('integrityCheck', () => {
  test('a sound store is reported as sound, and the check changes nothing', async () => {
    const opened = await openRich()
    const before = await exported(opened)
    expect(await opened.call('integrityCheck', {})).toEqual(sound)
    expect(await opened.call('integrityCheck', { repair: true })).toEqual(sound)
    expect(await exported(opened)).toEqual(before)
    expect(await opened.reopen().call('integrityCheck', {})).toEqual(sound)
  })

  test('an index that was never built is not a fault', async () => {
    const { call } = await openOver()
    await call('put', { batch: [{ body: 'text' }] })
    expect(await call('integrityCheck', {})).toEqual({ ...sound, vectors: 'not built' })
  })

  const damages: readonly (readonly [string, keyof IntegrityReport, string])[] = [
    ['a text the index does not know', 'fts', 'a hidden text'],
    ['the index of another text', 'fts', `INSERT INTO record_fts (record_fts) VALUES ('delete-all')`],
    [
      'a code that is another',
      'vectors',
      `UPDATE vector_codes SET code = zeroblob(length(code)) WHERE slot = (SELECT min(slot) FROM vector_codes)`,
    ],
    ['a code that is gone', 'vectors', `DELETE FROM vector_codes WHERE slot = (SELECT max(slot) FROM vector_codes)`],
    [
      'a code of nothing',
      'vectors',
      `INSERT INTO vector_codes SELECT 4096000000, space, code FROM vector_codes LIMIT 1`,
    ],
    [
      'vectors without a record',
      'vectors',
      `INSERT INTO vectors SELECT 4096000000, space, 0, 1, vector FROM vectors LIMIT 1`,
    ],
    [
      'a path under another name',
      'derived',
      `UPDATE files SET name = 'wrong' WHERE key = (SELECT min(key) FROM files)`,
    ],
    ['a reference that is gone', 'derived', `DELETE FROM terms WHERE NOT declared`],
    [
      'another content hash',
      'derived',
      `UPDATE records SET content_hash = 'x' WHERE key = (SELECT min(key) FROM records)`,
    ],
    [
      'joined paths that are not',
      'derived',
      `UPDATE records SET paths = 'nowhere' WHERE key = (SELECT max(key) FROM records)`,
    ],
    ['a mark that hides rows', 'derived', `UPDATE records SET children = 0 WHERE key = (SELECT min(key) FROM tags)`],
    ['metadata that cannot be asked for', 'derived', `DELETE FROM metadata_values`],
  ]

  // Each leaves the store as it was, so they share one.
  const rich = openRich().then(async (opened) => ({ opened, before: await exported(opened) }))

  test.each(damages)('finds and repairs %s', async (_name, part, sql) => {
    const { opened, before } = await rich
    if (sql === 'a hidden text') hideText(opened)
    else opened.database.execute(sql)
    const found = await opened.call('integrityCheck', {})
    expect(found).toMatchObject({ ok: false, sqlite: 'ok', [part]: 'damaged' })
    expect(found.problems.some((problem) => problem.startsWith(part))).toBe(true)
    // The check alone repairs nothing.
    expect(await opened.call('integrityCheck', {})).toEqual(found)
    expect(await opened.call('integrityCheck', { repair: true })).toMatchObject({ ok: true, [part]: 'repaired' })
    expect(await opened.call('integrityCheck', {})).toEqual(sound)
    expect(await opened.reopen().call('integrityCheck', {})).toEqual(sound)
    expect(await exported(opened)).toEqual(before)
  })

  test('a damaged vector is given up, and reembed makes it again', async () => {
    const opened = await openOver(portableOptions, {
      embed: async (texts) => texts.map((text) => createRandom(text.length).vector(8)),
    })
    const batch = Array.from({ length: 10 }, (_, i) => ({ id: `r${i}`, body: `text ${'x'.repeat(i)}` }))
    await opened.call('put', { batch })
    const before = await exported(opened)
    opened.database.execute(`UPDATE vectors SET vector = x'0000c07f' WHERE slot = (SELECT min(slot) FROM vectors)`)
    expect(await opened.call('integrityCheck', { repair: true })).toMatchObject({ ok: true, vectors: 'repaired' })
    const step = { after: 0, done: 0, total: 0, byCaller: false }
    expect(await opened.call('embedNext', step)).toMatchObject({ total: 1, embedded: 1, isLast: true })
    expect(await opened.call('integrityCheck', {})).toEqual(sound)
    expect(await exported(opened)).toEqual(before)
  })

  test('the index in memory is compared, too', async () => {
    const opened = await openRich()
    const other = opened.reopen()
    // Two engines over one database: the memory of one does not know what the other writes.
    await other.call('put', { batch: [{ id: 'new', body: 'text', vectors: createRandom(1).vector(8) }] })
    expect(await opened.call('integrityCheck', {})).toMatchObject({ vectors: 'damaged', derived: 'damaged', fts: 'ok' })
    expect(await opened.call('integrityCheck', { repair: true })).toMatchObject({
      ok: true,
      vectors: 'repaired',
      derived: 'repaired',
    })
    expect((await opened.call('recall', { query: { vector: createRandom(1).vector(8) } })).hits[0]?.record.id).toBe(
      'new',
    )
  })

  test('a damaged file is reported, never repaired', async () => {
    const opened = await openRich()
    opened.database.execute('PRAGMA foreign_keys=OFF')
    opened.database.execute(`INSERT INTO tags VALUES ('x', 999999, 0)`)
    expect(await opened.call('integrityCheck', { repair: true })).toMatchObject({ ok: false, sqlite: 'damaged' })
    await expect(opened.call('integrityCheck', { repair: 'yes' as never })).rejects.toMatchObject({ field: 'repair' })
  })

  test.each([false, true])('storage that fails during the check is not damage, repair %s', async (repair) => {
    const { faulty, call, rows } = await openFaulty()
    // The first time more is read, and kept.
    await call('integrityCheck', { repair })
    faulty.failAfter(null)
    expect(await call('integrityCheck', { repair })).toEqual(bare)
    const statements = faulty.statements()
    expect(statements).toBeGreaterThan(20)
    const before = rows()
    for (let n = 0; n < statements; n++) {
      faulty.failAfter(n, 'STORAGE_UNAVAILABLE')
      await expect(call('integrityCheck', { repair })).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      expect(rows()).toBe(before)
    }
    faulty.failAfter(null)
    expect(await call('integrityCheck', { repair })).toEqual(bare)
  })

  test('control: the same statements failing as damage does are in the report', async () => {
    const { faulty, call } = await openFaulty()
    await call('integrityCheck', {})
    faulty.failAfter(null)
    await call('integrityCheck', {})
    const statements = faulty.statements()
    const parts = new Set<string>()
    for (let n = 0; n < statements; n++) {
      faulty.failAfter(n, 'STORE_CORRUPT')
      const { ok, problems } = await call('integrityCheck', {})
      expect(ok).toBe(false)
      for (const problem of problems) parts.add(problem.slice(0, problem.indexOf(':')))
    }
    expect([...parts]).toEqual(expect.arrayContaining(['sqlite', 'derived', 'fts', 'vectors']))
  })
})

const bare = { ...sound, vectors: 'not built' }

/** A store whose statements can be made to fail, and all its rows. */
async function openFaulty() {
  const storage = await openMemory(await initSqlite(), 'faulty')
  const faulty = createFaultyDatabase(storage.database)
  const engine = createEngineOver({ ...storage, database: faulty.database }, engineOptions, null)
  const call = <V extends Method>(method: V, request: Arguments<V>) => engine.call(method, request, { now: 0 })
  await call('put', {
    batch: [
      { body: 'a jay', files: [{ path: 'src/a.ts' }] },
      { body: 'an oak', tags: ['tree'] },
    ],
  })
  return { faulty, call, rows: () => dump(storage.database) }
}

/** A word in the index that no text has: FTS5 gets a record's text without its trigger. */
function hideText({ database }: OpenedOver): void {
  database.execute(`INSERT INTO record_fts (rowid, title) SELECT max(key) + 1000, 'no such text' FROM records`)
}

describe('compact', () => {
  test('[W3] after forgetting, free pages are gone, and no byte of the forgotten text is left', async () => {
    const opened = await openOver(portableOptions)
    const canaries = Array.from({ length: 100 }, (_, i) => word(i))
    const batch = canaries.map((canary, i) => ({
      id: `secret-${i}`,
      body: `${'padding '.repeat(200)} ${canary}`,
      tags: [canary],
      vectors: createRandom(i).vector(8),
    }))
    await opened.call('put', { batch })
    await opened.call('put', { batch: Array.from({ length: 50 }, (_, i) => ({ id: `other-${i}`, body: `jay ${i}` })) })
    expect(held(opened, canaries)).toBe(100)
    await opened.call('forget', { ids: batch.map(({ id }) => id) })
    // Deleted content is overwritten; cells that SQLite once moved to balance a tree may remain in unallocated space.
    expect(held(opened, canaries)).toBeLessThan(10)
    const before = await answers(opened)
    const { bytesBefore, bytesAfter } = await opened.call('compact', {})
    expect(bytesAfter).toBeLessThan(bytesBefore)
    expect(bytesOf(opened).length).toBe(bytesAfter)
    expect(free(opened)).toBe(0)
    expect(held(opened, canaries)).toBe(0)
    expect(await answers(opened)).toEqual(before)
    expect(await answers(opened.reopen())).toEqual(before)
    expect(await opened.call('integrityCheck', {})).toEqual({ ...sound })
  })

  test('[W3] control: without overwriting, forgotten text stays in free pages until compaction', async () => {
    const opened = await openOver(portableOptions)
    opened.database.execute('PRAGMA secure_delete=OFF')
    const canaries = [word(1), word(2)]
    await opened.call('put', { batch: canaries.map((canary, i) => ({ id: `s${i}`, body: canary.repeat(400) })) })
    await opened.call('forget', { ids: ['s0', 's1'] })
    expect(held(opened, canaries)).toBeGreaterThan(0)
    await opened.call('compact', {})
    expect(held(opened, canaries)).toBe(0)
  })

  test('writes work afterwards, and the next compaction gains nothing', async () => {
    const opened = await openRich()
    await opened.call('compact', {})
    const { bytesBefore, bytesAfter } = await opened.call('compact', {})
    expect(bytesAfter).toBe(bytesBefore)
    await opened.call('put', { batch: [{ id: 'later', body: 'a later word' }] })
    expect((await opened.call('recall', { query: { text: 'later' } })).hits[0]?.record.id).toBe('later')
  })
})

function word(i: number): string {
  const random = createRandom(7_000 + i)
  return Array.from({ length: 32 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
}

function bytesOf({ database: { sqlite3, pointer } }: OpenedOver): Uint8Array {
  return sqlite3.capi.sqlite3_js_db_export(pointer)
}

function held(opened: OpenedOver, canaries: readonly string[]): number {
  const text = Buffer.from(bytesOf(opened)).toString('latin1')
  return canaries.filter((canary) => text.includes(canary)).length
}

function free({ database }: OpenedOver): number | undefined {
  return first(database, 'PRAGMA freelist_count', [], (row) => row.number(0))
}

async function answers({ call }: OpenedOver): Promise<readonly string[]> {
  const asked = ['jay 7', 'padding', 'other'].map((text) =>
    call('recall', { query: { text, vector: createRandom(3).vector(8) } }),
  )
  return (await Promise.all(asked)).map(({ hits }) => canonicalJson(hits))
}
