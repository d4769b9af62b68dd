/**
 * Checks that stores of every released version open here without loss; a newer one is refused and left unchanged (T9).
 */
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { all, type Database, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { migrate, migrations } from '../../../worker/store/migrate.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { frozenStores, thaw } from '../../support/stores/frozen-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { contentOf, exported, imported, portableOptions } from '../../support/stores/portable.ts'

const settings = { stemmer: 'porter', metadataKeys: ['flag'], languages: ['en'] } as const
const stores = frozenStores()

test('a store of every version is frozen, numbered without gaps', () => {
  expect(stores.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version))
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
})

describe.each(stores)('a store of version $version', ({ version, database: bytes, exported: frozen }) => {
  const open = () => openOver(portableOptions, null, (database) => thaw(database, bytes))

  test('[M1] equals a new one with the same content: schema, export, answers', async () => {
    const old = await open()
    const fresh = await openOver(portableOptions)
    await imported(fresh, frozen)
    expect(schemaOf(old.database)).toEqual(schemaOf(fresh.database))
    expect(versionOf(old.database)).toBe(migrations.length)
    expect(formsOf(old.database)).toEqual(formsOf(fresh.database))
    expect(formsOf(old.database).length, 'control: words have parts').toBeGreaterThan(0)
    expect(Buffer.from(await exported(old)).equals(Buffer.from(await exported(fresh)))).toBe(true)
    expect(contentOf(await exported(old))).toEqual(contentOf(frozen))
    expect(await answers(old)).toEqual(await answers(fresh))
    expect(await old.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    expect(await fresh.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
  })

  test('[M1] can be written to', async () => {
    const old = await open()
    expect(await old.call('count', { scope: {} })).toBe(40)
    await old.call('put', { batch: [{ id: 'later', body: 'a later word' }] })
    await old.call('forget', { ids: [(await old.call('list', { filter: {} })).items.at(-1)?.id ?? ''] })
    expect((await old.reopen().call('recall', { query: { text: 'later' } })).hits[0]?.record.id).toBe('later')
    expect(await old.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('[E1] of a newer version is refused and left unchanged', async () => {
    const { database } = await openMemory(await initSqlite(), 'test')
    thaw(database, bytes)
    expect(versionOf(database)).toBe(version)
    database.execute(`PRAGMA user_version=${migrations.length + 1}`)
    const before = dump(database)
    expect(() => migrate(database, settings)).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }))
    expect(dump(database)).toBe(before)
    expect(versionOf(database)).toBe(migrations.length + 1)
  })
})

describe('a database of another program', () => {
  const foreign: readonly (readonly [string, string, string])[] = [
    ['without an application id', 'CREATE TABLE notes (text TEXT)', 'PRAGMA application_id=0'],
    ['with one of its own', 'CREATE TABLE notes (text TEXT)', 'PRAGMA application_id=252006674'],
    ['with tables of our names', 'CREATE TABLE records (id TEXT, body TEXT)', 'PRAGMA application_id=0'],
  ]

  test.each(foreign)('[E1] %s is STORE_CORRUPT and left unchanged', async (_name, schema, mark) => {
    const storage = await openMemory(await initSqlite(), 'test')
    const { database } = storage
    database.execute(schema)
    database.execute(`INSERT INTO ${schema.split(' ')[2]} VALUES (${schema.includes('id') ? "'a', " : ''}'theirs')`)
    database.execute(mark)
    const { capi } = database.sqlite3
    const bytes = () => Buffer.from(capi.sqlite3_js_db_export(database.pointer)).toString('base64')
    const before = bytes()
    const refusal = { code: 'STORE_CORRUPT', message: expect.stringContaining('not a Scrubjay store') }
    expect(() => migrate(database, settings)).toThrow(expect.objectContaining(refusal))
    expect(() => createEngineOver(storage, engineOptions, null)).toThrow(expect.objectContaining(refusal))
    expect(bytes()).toBe(before)
  })

  test('control: an empty one becomes a store', async () => {
    const { database } = await openMemory(await initSqlite(), 'test')
    migrate(database, settings)
    expect(versionOf(database)).toBe(migrations.length)
    migrate(database, settings)
  })
})

describe('a step of a migration', () => {
  const next = migrations.length + 1
  const good = { version: next, statements: () => [`CREATE TABLE later (x)`, `INSERT INTO later VALUES (1)`] }
  const bad = { version: next, statements: () => [`CREATE TABLE later (x)`, `INSERT INTO nowhere VALUES (1)`] }
  const opened = async () => (await openOver(portableOptions)).database

  test('is carried out once', async () => {
    const database = await opened()
    for (let i = 0; i < 2; i++) expect(migrate(database, settings, [...migrations, good])).toEqual(settings)
    expect(first(database, `SELECT count(*) FROM later`, [], (row) => row.number(0))).toBe(1)
    expect(versionOf(database)).toBe(next)
  })

  test('that fails leaves the version before, complete', async () => {
    const database = await opened()
    const before = dump(database)
    expect(() => migrate(database, settings, [...migrations, bad])).toThrow()
    expect(versionOf(database)).toBe(migrations.length)
    expect(dump(database)).toBe(before)
    // Once it is repaired, the migration goes on from there.
    migrate(database, settings, [...migrations, good])
    expect(versionOf(database)).toBe(next)
  })
})

function versionOf(database: Database): number | undefined {
  return first(database, 'PRAGMA user_version', [], (row) => row.number(0))
}

function schemaOf(database: Database): readonly string[] {
  return all(
    database,
    `SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY 1`,
    [],
    (row) => row.text(0),
  )
}

function formsOf(database: Database): readonly string[] {
  return all(database, `SELECT key || ' ' || word || ' ' || ifnull(records, '') FROM forms`, [], (row) => row.text(0))
}

async function answers({ call }: OpenedOver): Promise<readonly string[]> {
  const made = ['jay acorn', 'café', '橡子', 'TypeError'].map((text, i) =>
    call('recall', { query: { text, vector: createRandom(i).vector(8), limit: 20, ledger: true } }, startOfTime + 1e8),
  )
  return (await Promise.all(made)).map(({ hits, ledger, evidence }) => canonicalJson({ hits, ledger, evidence }))
}
