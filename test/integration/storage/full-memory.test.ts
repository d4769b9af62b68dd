/**
 * Checks what lack of memory does to a store (T5 tries it everywhere: `node test/torture/run.mjs t5`). Each case was
 * once a bug.
 */
import { afterEach, expect, test } from 'vitest'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createSqliteStore } from '../../../worker/store/sqlite-store.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { createMemoryCap, type MemoryCap } from '../../torture/t5/memory-cap.ts'

let cap: MemoryCap | undefined

afterEach(() => cap?.lift())

const settings = { stemmer: 'porter', metadataKeys: [] } as const

test('[E1] it is reported as QUOTA_EXCEEDED, not as damage, and is temporary', async () => {
  const { call, database } = await openOver()
  cap = createMemoryCap(database.sqlite3)
  await call('put', { batch: [{ id: 'a', body: 'an acorn' }] })
  for (const room of [0, 40, 200, 2_000, 20_000]) {
    cap.cap(room)
    const failed = await Promise.all([
      call('put', { batch: [{ id: `b${room}`, body: 'jay '.repeat(20_000) }] }).catch((error: unknown) => error),
      call('integrityCheck', {}).catch((error: unknown) => error),
    ])
    cap.lift()
    expect(failed[0]).toMatchObject({ name: 'RecallError', code: 'QUOTA_EXCEEDED' })
    if (failed[1] instanceof Error) expect(failed[1]).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await call('put', { batch: [{ id: `b${room}`, body: 'jay' }] })).toMatchObject({
      records: [{ outcome: 'inserted' }],
    })
  }
  expect(await call('integrityCheck', {})).toMatchObject({ ok: true })
})

test('[W2] a committed put succeeds even if the vector index cannot follow; the index follows later', async () => {
  const { call, database } = await openOver({ space: { name: 'wide', dimensions: 1024 } })
  cap = createMemoryCap(database.sqlite3)
  const vectorOf = (place: number) => Float32Array.from({ length: 1024 }, (_, i) => Number(i === place))
  cap.cap(5 << 18)
  const batch = [0, 1, 2].map((place) => ({ id: `r${place}`, body: `body ${place}`, vectors: vectorOf(place) }))
  expect(await call('put', { batch })).toMatchObject({ records: [{ outcome: 'inserted' }, {}, {}] })
  // Control: the index did not follow.
  expect(cap.refusals()).toBeGreaterThan(0)
  await expect(call('recall', { query: { vector: vectorOf(1) } })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  cap.lift()
  expect((await call('recall', { query: { vector: vectorOf(1) } })).hits[0]?.record.id).toBe('r1')
  expect(await call('integrityCheck', {})).toMatchObject({ ok: true, vectors: 'ok' })
})

test('[W2] a transaction is rolled back without memory, and the next one begins', async () => {
  const { database } = await openMemory(await initSqlite(), 'test')
  cap = createMemoryCap(database.sqlite3)
  database.execute('CREATE TABLE rows (x)')
  const write = () =>
    database.transaction(() => {
      database.execute('INSERT INTO rows VALUES (1)')
      cap?.cap(0)
      database.execute('INSERT INTO rows VALUES (?)', ['x'.repeat(5_000_000)])
    })
  expect(write).toThrow(expect.objectContaining({ code: 'QUOTA_EXCEEDED' }))
  cap.lift()
  database.transaction(() => database.execute('INSERT INTO rows VALUES (2)'))
  expect(rowsOf(database)).toEqual([2])
})

test('[P1] an opening that fails leaves no statement behind, which would keep the files open', async () => {
  const { database } = await openMemory(await initSqlite(), 'test')
  createSqliteStore(database, settings).close()
  const failing: SqliteDatabase = {
    ...database,
    each(sql, bind, visit) {
      if (sql.includes('SELECT key, id FROM records')) throw new Error('the disk failed')
      database.each(sql, bind, visit)
    },
  }
  const before = statementsOf(database)
  expect(() => createSqliteStore(failing, settings)).toThrow('the disk failed')
  expect(statementsOf(database)).toEqual(before)
  // Control: an open store holds one.
  const open = createSqliteStore(database, settings)
  expect(statementsOf(database).length).toBe(before.length + 1)
  open.close()
})

function rowsOf(database: SqliteDatabase): readonly number[] {
  const rows: number[] = []
  database.each('SELECT x FROM rows', [], (row) => rows.push(row.number(0)))
  return rows
}

/** Of the posting reader. */
function statementsOf({ sqlite3, pointer }: SqliteDatabase): readonly string[] {
  const { capi, wasm } = sqlite3
  const next = (wasm.exports as unknown as { sqlite3_next_stmt(database: number, after: number): number })
    .sqlite3_next_stmt
  const found: string[] = []
  for (let at = next(pointer, 0); at !== 0; at = next(pointer, at)) {
    const sql = capi.sqlite3_sql(at as never) ?? ''
    if (sql.includes('MATCH ?1 LIMIT 1')) found.push(sql)
  }
  return found
}
