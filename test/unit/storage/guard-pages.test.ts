/**
 * Tests pages of a file with checksums: a change on disk is an error, not another text. Over the file system of
 * SQLite's own build.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { all, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { guardPagesOf, reserveSeals } from '../../../worker/sqlite/pages/checksum-vfs.ts'
import { openSqliteDatabase, type SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'

const sqlite3 = await initSqlite()
const open: SqliteDatabase[] = []
let count = 0

afterAll(() => {
  for (const database of open) database.close()
})

function opened(filename: string, isGuarded: boolean): SqliteDatabase {
  const database = openSqliteDatabase(sqlite3, { filename })
  open.push(database)
  if (isGuarded) guardPagesOf(sqlite3, database.pointer)
  return database
}

/** A closed file of one table with 40 texts of a page each. */
function makeFile(hasRightChecksum: boolean): string {
  const filename = `/guarded-${++count}.db`
  const database = openSqliteDatabase(sqlite3, { filename })
  database.execute('PRAGMA page_size=8192')
  if (hasRightChecksum) reserveSeals(sqlite3, database.pointer)
  guardPagesOf(sqlite3, database.pointer)
  database.execute('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)')
  for (let id = 1; id <= 40; id++) database.execute('INSERT INTO texts VALUES (?, ?)', [id, textOf(id)])
  database.close()
  return filename
}

const textOf = (id: number) => `canary ${id} `.repeat(500)
const read = (database: SqliteDatabase) => all(database, 'SELECT text FROM texts ORDER BY id', [], (row) => row.text(0))
const texts = Array.from({ length: 40 }, (_, i) => textOf(i + 1))

/** Changes one page without updating its checksum, as a failing disk would: numbers from 1, as SQLite counts. */
function rewrite(filename: string, change: (pages: Map<number, Uint8Array>) => readonly [number, Uint8Array]): void {
  // A connection of the engine refuses to write such pages.
  const raw = new sqlite3.oo1.DB(filename)
  const rows = raw.selectArrays('SELECT pgno, data FROM sqlite_dbpage') as [number, Uint8Array][]
  raw.exec({ sql: 'UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1', bind: change(new Map(rows)) as never })
  raw.close()
}

/** Changes the first letter of a text. */
function damage(filename: string, text: string): void {
  rewrite(filename, (pages) => {
    const found = [...pages].find(([, data]) => Buffer.from(data).includes(text))
    if (found === undefined) throw new Error(`no page holds ${text}`)
    const [number, data] = found
    return [number, data.with(Buffer.from(data).indexOf(text), 'C'.charCodeAt(0))]
  })
}

describe('[P1] a file with page checksums', () => {
  test('is read as it was written', () => {
    const database = opened(makeFile(true), true)
    expect(read(database)).toEqual(texts)
    expect(first(database, 'PRAGMA integrity_check', [], (row) => row.text(0))).toBe('ok')
  })

  test('with one letter changed on its disk is STORE_CORRUPT, wherever the letter is', () => {
    for (const id of [1, 17, 40]) {
      const filename = makeFile(true)
      damage(filename, `canary ${id} `)
      const database = opened(filename, true)
      expect(() => read(database), `text ${id}`).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
    }
  })

  test('with a complete page of another position in one place is STORE_CORRUPT', () => {
    const filename = makeFile(true)
    rewrite(filename, (pages) => [20, pages.get(21)!])
    expect(() => read(opened(filename, true))).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
  })

  test('control: without checksums, or without room for them, the other letter comes out', () => {
    const sealed = makeFile(true)
    damage(sealed, 'canary 17 ')
    expect(read(opened(sealed, false)).filter((text, i) => text !== texts[i])).toHaveLength(1)
    const unsealed = makeFile(false)
    damage(unsealed, 'canary 17 ')
    expect(read(opened(unsealed, true)).filter((text, i) => text !== texts[i])).toHaveLength(1)
  })
})
