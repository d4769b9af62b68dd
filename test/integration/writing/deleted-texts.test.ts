/**
 * Tests the two ways in which texts are deleted from the text index, many at once with a merge of its segments and few without, and the
 * merge after many texts were added.
 */
import { describe, expect, it } from 'vitest'
import type { RecallResult } from '../../../src/index.ts'
import { atOnce } from '../../../worker/scheduling/steps.ts'
import { all, type Database } from '../../../worker/sqlite/database.ts'
import { createTextDeletions } from '../../../worker/sqlite/fts5/delete-texts.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const ids = Array.from({ length: 400 }, (_, i) => `r${i}`)
const recordOf = (id: string, about: string) => ({ id, body: `the ${about} note with canary${id} and tea` })

async function filled(): Promise<TestEngine> {
  const opened = await openEngine()
  // Five texts are too few for a merge.
  for (const [from, to] of [
    [0, 385],
    [385, 390],
    [390, 395],
    [395, 400],
  ] as const)
    await opened.call('put', { batch: ids.slice(from, to).map((id) => recordOf(id, 'former')) })
  return opened
}

const reading = <T>({ engine }: TestEngine, read: (database: Database) => T) =>
  engine.inTurn(({ storage }) => read(storage.database))

const segments = (opened: TestEngine) =>
  reading(opened, (database) => all(database, `SELECT DISTINCT segid FROM record_fts_idx`, [], () => true).length)

/** The terms of the index, with the number of their records. */
const terms = (opened: TestEngine) =>
  reading(opened, (database) => {
    database.execute(`CREATE VIRTUAL TABLE temp.indexed_terms USING fts5vocab(main, record_fts, row)`)
    const read = all(
      database,
      `SELECT term, doc FROM temp.indexed_terms`,
      [],
      (row) => [row.text(0), row.number(1)] as const,
    )
    return new Map(read)
  })

describe('the segments of the text index', () => {
  it('[W3] are merged when many texts are deleted, of which no term stays', async () => {
    const opened = await filled()
    expect(await segments(opened)).toBeGreaterThan(3)
    const kept = ids.filter((_, i) => i % 4 === 0)
    await opened.call('forget', { ids: ids.filter((id) => !kept.includes(id)) })
    expect(await segments(opened)).toBe(1)
    const left = await terms(opened)
    expect([...left.keys()].filter((term) => term.startsWith('canary')).sort()).toEqual(
      kept.map((id) => `canary${id}`).sort(),
    )
    expect(left.get('tea')).toBe(kept.length)
    expect((await opened.call('integrityCheck', {})).ok).toBe(true)
  })

  it('are merged when many texts are replaced, of which no term stays', async () => {
    const opened = await filled()
    await opened.call('put', { batch: ids.slice(0, 150).map((id) => recordOf(id, 'newer')) })
    const left = await terms(opened)
    expect([left.get('former'), left.get('newer'), left.get('tea')]).toEqual([250, 150, 400])
    expect((await opened.call('integrityCheck', {})).ok).toBe(true)
  })

  it('control: stay as they are when a few texts are deleted', async () => {
    const opened = await filled()
    const before = await segments(opened)
    await opened.call('forget', { ids: ids.slice(0, 3) })
    expect(await segments(opened)).toBe(before)
  })
})

describe('the segments of the text index, after texts were added', () => {
  const texts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => recordOf(`r${from + i}`, 'former'))

  it('are merged into one when the new ones hold many texts', async () => {
    const opened = await openEngine()
    for (let from = 0; from < 400; from += 100) await opened.call('put', { batch: texts(from, 100) })
    expect(await segments(opened)).toBe(1)
    const { hits } = (await opened.call('recall', { query: { text: 'canaryr250' } })) as RecallResult
    expect(hits.map(({ id }) => id)).toEqual(['r250'])
    expect((await opened.call('integrityCheck', {})).ok).toBe(true)
  })

  it('control: stay when each holds few texts', async () => {
    const opened = await openEngine()
    for (let from = 0; from < 60; from += 15) await opened.call('put', { batch: texts(from, 15) })
    expect(await segments(opened)).toBeGreaterThan(1)
  })

  it('stay when a large index got few texts', async () => {
    const opened = await openEngine()
    await opened.call('put', { batch: texts(0, 2000) })
    await opened.call('put', { batch: texts(2000, 20) })
    await opened.call('put', { batch: texts(2020, 20) })
    expect(await segments(opened)).toBe(3)
  })
})

const settings = (database: Database) =>
  all(database, `SELECT v FROM record_fts_config WHERE k = 'secure-delete'`, [], (row) => row.number(0))

describe('the setting `secure-delete`', () => {
  it('is on after many texts were deleted without it', async () => {
    const opened = await filled()
    await opened.call('forget', { ids: ids.slice(0, 300) })
    expect(await reading(opened, settings)).toEqual([1])
  })

  it('[W3] is on again after a rollback, in the file and in the memory of FTS5', async () => {
    const sqlite3 = await initSqlite()
    const { database } = await openMemory(sqlite3, 'deletions')
    database.execute(`CREATE VIRTUAL TABLE record_fts USING fts5(body)`)
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('secure-delete', 1)`)
    const remove = (id: string) => database.execute(`DELETE FROM record_fts WHERE body MATCH ?`, [`canary${id}`])
    const holds = (id: string) =>
      Buffer.from(sqlite3.capi.sqlite3_js_db_export(database.pointer)).includes(`canary${id}`.slice(-9))
    for (const id of ids) database.execute(`INSERT INTO record_fts VALUES (?)`, [recordOf(id, 'former').body])
    const deletions = createTextDeletions(database)
    const transaction = database.begin()
    deletions.begin()
    deletions.expect(ids.length)
    expect(settings(database)).toEqual([0])
    remove('r377')
    transaction.rollback()
    expect(settings(database)).toEqual([1])
    expect(holds('r377')).toBe(true)
    remove('r377')
    expect(holds('r377')).toBe(false)

    deletions.begin()
    deletions.expect(ids.length)
    remove('r388')
    expect(holds('r388'), 'control: a mark alone leaves the word').toBe(true)
    atOnce(deletions.end())
    expect(holds('r388')).toBe(false)
    expect(settings(database)).toEqual([1])
  })
})
