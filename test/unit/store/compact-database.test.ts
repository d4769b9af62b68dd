/** Tests that compacting goes on in smaller steps where a full disk refuses a large one. */
import { expect, test } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { makeShrinkable } from '../../../worker/storage/common/incremental-vacuum.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { compactSteps } from '../../../worker/store/compact-database.ts'

/** A database with free pages, on a disk that has room for a step of so many pages. */
async function openOnFullDisk(room: number) {
  const { database } = await openMemory(await initSqlite(), 'full')
  makeShrinkable(database)
  database.execute('CREATE VIRTUAL TABLE record_fts USING fts5(text)')
  database.execute('CREATE TABLE large (bytes BLOB)')
  database.execute('INSERT INTO large VALUES (zeroblob(2000000))')
  database.execute('DROP TABLE large')
  const steps: number[] = []
  const limited: SqliteDatabase = {
    ...database,
    execute(sql, bind) {
      const pages = /incremental_vacuum\((\d+)\)/.exec(sql)?.[1]
      if (pages !== undefined) steps.push(Number(pages))
      if (Number(pages) > room) throw recallError('QUOTA_EXCEEDED', 'the disk is full, says the test')
      return database.execute(sql, bind)
    },
  }
  const free = () => first(database, 'PRAGMA freelist_count', [], (row) => row.number(0)) ?? 0
  return { limited, steps, free }
}

test('[P3] a disk that has room for a few pages is compacted a few pages at a time', async () => {
  const { limited, steps, free } = await openOnFullDisk(5)
  expect(free()).toBeGreaterThan(100)
  for (const { done, total } of compactSteps(limited)) expect(done).toBeLessThanOrEqual(total)
  expect(free()).toBe(0)
  expect(steps.filter((pages) => pages > 5)).toEqual([64, 16])
})

test('[P3] control: a disk that has room for no page refuses', async () => {
  const { limited, free } = await openOnFullDisk(0)
  const before = free()
  expect(() => [...compactSteps(limited)]).toThrow(expect.objectContaining({ code: 'QUOTA_EXCEEDED' }))
  expect(free()).toBe(before)
})
