/**
 * Checks that free pages return to the file system after the writes, slice by slice; content, the write rate of a
 * steady store and erasure stay the same. Runs over databases in memory and paged storage: T3, T4 and T11 do the same
 * over OPFS.
 */
import { describe, expect, test } from 'vitest'
import type { Arguments, Method } from '../../../src/protocol/engine-api.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { type Database, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { reserveSeals } from '../../../worker/sqlite/pages/checksum-vfs.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { formatOf, isPointerMap } from '../../../worker/sqlite/pages/page-format.ts'
import { zeroUnallocated } from '../../../worker/sqlite/pages/unallocated-space.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { makeShrinkable, reclaimPages, vacuumLimits } from '../../../worker/storage/common/incremental-vacuum.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createRandom } from '../../support/data/random.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createFaultyDatabase } from '../../support/stores/faulty-database.ts'
import { frozenStores, thaw } from '../../support/stores/frozen-store.ts'
import { createMemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { openPaged } from '../../support/stores/open-paged.ts'
import { contentOf, exported, portableOptions } from '../../support/stores/portable.ts'

describe('a store that forgets most of its records', () => {
  test('reclaims its free pages while it is written to, and then moves no more', async () => {
    const { call, pages, free } = await openShrunk()
    const longest = pages()
    for (let i = 0; i < 60; i++) {
      const before = pages()
      await call('put', { batch: [{ id: 'same', body: `a jay ${i}` }] })
      expect(before - pages()).toBeLessThanOrEqual(vacuumLimits.slicePages)
    }
    const { freePages, freeShare } = vacuumLimits
    expect(pages()).toBeLessThan(longest / 2)
    expect(free()).toBeLessThanOrEqual(Math.max(freePages, freeShare * pages()))
    const settled = pages()
    for (let i = 0; i < 20; i++) await call('put', { batch: [{ id: 'same', body: `an oak ${i}` }] })
    expect(pages()).toBe(settled)
    expect(await call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('reclaims them while it forgets, too', async () => {
    const { call, pages } = await openShrunk()
    const longest = pages()
    for (let i = 0; i < 19; i++) await call('forget', { ids: [`r${i}`] })
    expect(pages()).toBeLessThan(longest / 2)
  })

  test('control: without slices the file stays as large as it was', async () => {
    const { call, pages } = await openShrunk((storage) => ({ ...storage, reclaimPages: () => undefined }))
    const longest = pages()
    for (let i = 0; i < 60; i++) await call('put', { batch: [{ id: 'same', body: `a jay ${i}` }] })
    expect(pages()).toBeGreaterThanOrEqual(longest)
  })

  test('a slice that fails is undone, and the write remains', async () => {
    const database = await openMapped()
    fillAndEmpty(database)
    const [rows, pages] = [dump(database), pagesOf(database)]
    const faulty = createFaultyDatabase(database)
    for (const statement of [0, 1, 2]) {
      faulty.failAfter(statement)
      reclaimPages(faulty.database)
      expect(pagesOf(database)).toBe(pages)
    }
    reclaimPages(faulty.database)
    expect(pagesOf(database)).toBe(pages - vacuumLimits.slicePages)
    expect(dump(database)).toBe(rows)
  })
})

test('opening a store that can reclaim pages writes nothing: it must open on a full disk, too', async () => {
  const bytes = createMemoryByteStore()
  const made = await openPaged(bytes)
  makeShrinkable(made.database)
  made.database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY)')
  await made.close()
  const { database, flush, close } = await openPaged(bytes)
  const stored = async () => {
    await flush?.()
    return [...bytes.values.keys()].sort()
  }
  const before = await stored()
  makeShrinkable(database)
  expect(await stored()).toEqual(before)
  // Control: the pragma alone is a commit.
  database.execute('PRAGMA auto_vacuum=INCREMENTAL')
  expect(await stored()).not.toEqual(before)
  await close()
})

describe.each([0, 8])('pointer-map pages, with %i bytes of each page reserved', (reserved) => {
  test('are recognised by their position: the unallocated space around them is zeroed', async () => {
    const database = await openMapped(reserved)
    fillAndEmpty(database)
    const bytes = database.sqlite3.capi.sqlite3_js_db_export(database.pointer)
    const format = formatOf(bytes)
    expect(format).toEqual({ reserved, hasPointerMaps: true })
    const numbers = Array.from({ length: bytes.length / pageBytes }, (_, number) => number)
    const mapped = numbers.filter((number) => isPointerMap(number, format))
    const after = Math.floor((pageBytes - reserved) / 5) + 1
    expect(mapped).toEqual([1, 1 + after, 1 + 2 * after])
    const zeroed = async (hasPointerMaps: boolean) => {
      const copy = bytes.slice()
      for (const number of numbers)
        zeroUnallocated(copy.subarray(number * pageBytes, (number + 1) * pageBytes), number, {
          ...format,
          hasPointerMaps,
        })
      const { database: other } = await openMemory(await initSqlite(), 'zeroed')
      thaw(other, copy)
      return first(other, 'PRAGMA integrity_check', [], (row) => row.text(0))
    }
    expect(await zeroed(true)).toBe('ok')
    // Control: treated as b-tree pages they are damaged.
    expect(await zeroed(false)).not.toBe('ok')
  })
})

test('a file with pointer maps stays sound in paged storage, also where SQLite writes its header last', async () => {
  const source = await openMapped()
  fillAndEmpty(source)
  const bytes = createMemoryByteStore()
  const paged = await openPaged(bytes)
  // Like a store that moves here from OPFS: more than fits the page cache, in one transaction.
  backUp(source, paged.database)
  await paged.close()
  const { database, close } = await openPaged(bytes)
  expect(first(database, 'PRAGMA auto_vacuum', [], (row) => row.number(0))).toBe(2)
  expect(first(database, 'PRAGMA integrity_check', [], (row) => row.text(0))).toBe('ok')
  await close()
})

describe.each(frozenStores())('a store of version $version', ({ database: bytes, exported: frozen }) => {
  test('keeps its format until it is compacted, and always keeps its content', async () => {
    const opened = await openOver(portableOptions, null, (database) => {
      thaw(database, bytes)
      makeShrinkable(database)
    })
    const isMapped = () => first(opened.database, 'PRAGMA auto_vacuum', [], (row) => row.number(0))
    const always = { freeShare: 0, freePages: 0, slicePages: 100 }
    opened.database.execute('CREATE TABLE large (bytes BLOB)')
    opened.database.execute('INSERT INTO large VALUES (zeroblob(1000000))')
    opened.database.execute('DROP TABLE large')
    const before = pagesOf(opened.database)
    reclaimPages(opened.database, always)
    expect([isMapped(), pagesOf(opened.database)]).toEqual([0, before])
    const fragmented = await exported(opened)
    expect(contentOf(fragmented)).toEqual(contentOf(frozen))
    await opened.call('compact', {})
    expect(isMapped()).toBe(2)
    expect(Buffer.from(await exported(opened)).equals(Buffer.from(fragmented))).toBe(true)
    expect(await opened.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    opened.database.execute('CREATE TABLE large (bytes BLOB)')
    opened.database.execute('INSERT INTO large VALUES (zeroblob(1000000))')
    opened.database.execute('DROP TABLE large')
    const grown = pagesOf(opened.database)
    reclaimPages(opened.database, always)
    expect(pagesOf(opened.database)).toBeLessThanOrEqual(grown - 100)
  })
})

/** A new database that can reclaim pages. */
async function openMapped(reserved = 0): Promise<SqliteDatabase> {
  const { database } = await openMemory(await initSqlite(), 'mapped')
  if (reserved > 0) reserveSeals(database.sqlite3, database.pointer)
  makeShrinkable(database)
  return database
}

/**
 * Rows on more pages than two pointer-map pages cover and than fit a page cache, plus one pointer-map page; most of
 * them deleted again, everywhere.
 */
function fillAndEmpty(database: Database): void {
  const random = createRandom(5)
  database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
  database.execute('CREATE INDEX texts ON rows (text)')
  database.transaction(() => {
    for (let id = 0; id < 3_400; id++) {
      const text = `${random.below(1_000_000)}`.repeat(20)
      database.execute('INSERT INTO rows VALUES (?, ?, zeroblob(?))', [id, text, 7_000 + random.below(4_000)])
    }
  })
  database.execute('DELETE FROM rows WHERE id % 8 > 0')
}

function pagesOf(database: Database): number {
  return first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
}

function backUp(from: SqliteDatabase, to: SqliteDatabase): void {
  const { capi } = from.sqlite3
  const backup = capi.sqlite3_backup_init(to.pointer as never, 'main', from.pointer as never, 'main')
  expect(capi.sqlite3_backup_step(backup, -1)).toBe(capi.SQLITE_DONE)
  expect(capi.sqlite3_backup_finish(backup)).toBe(0)
}

/** A store of which most was forgotten at once. */
async function openShrunk(change: (storage: OpenStorage) => OpenStorage = (storage) => storage) {
  const memory = await openMemory(await initSqlite(), 'shrunk')
  const { database } = memory
  makeShrinkable(database)
  const storage = change({ ...memory, reclaimPages: () => reclaimPages(database) })
  const engine = createEngineOver(storage, engineOptions, null)
  const call = <V extends Method>(method: V, request: Arguments<V>) => engine.call(method, request, { now: 0 })
  const ids = Array.from({ length: 300 }, (_, i) => `r${i}`)
  await call('put', { batch: ids.map((id) => ({ id, body: `${id} ${'padding '.repeat(1_500)}` })) })
  await call('forget', { ids: ids.slice(20) })
  const free = () => first(database, 'PRAGMA freelist_count', [], (row) => row.number(0)) ?? 0
  return { call, free, pages: () => pagesOf(database) }
}
