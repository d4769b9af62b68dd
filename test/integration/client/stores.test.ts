/** Tests `stores` in Node, which lists the stores in the files of a folder. Browsers: test/browser/storage/stores.browser.test.ts. */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRecall, stores } from '../../../src/index.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrubjay-stores-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const records = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, body: `The jay hid acorn ${i} under the oak.` }))

async function makeStore(name: string): Promise<string> {
  const path = join(folder, name)
  const store = await openRecall({ path, embedder: null })
  await store.put(records)
  await store.close()
  return path
}

test('the files of a folder that are stores, by name, with their sizes; other files and folders are left out', async () => {
  await makeStore('b.sqlite')
  await makeStore('a.store')
  writeFileSync(join(folder, 'notes.txt'), 'SQLite format 3\0 is how a database begins')
  writeFileSync(join(folder, 'zeros'), new Uint8Array(40_000))
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'foreign.sqlite'), await foreignDatabase())
  mkdirSync(join(folder, 'inside'))
  await makeStore('inside/c.sqlite')
  const listed = await stores({ folder })
  expect(listed).toEqual(
    ['a.store', 'b.sqlite'].map((name) => ({
      name: join(folder, name),
      storage: 'file',
      bytes: statSync(join(folder, name)).size,
      missing: false,
    })),
  )
  expect(await stores({ folder: join(folder, 'inside') })).toMatchObject([{ name: join(folder, 'inside/c.sqlite') }])
})

test.runIf(process.platform === 'linux')('no file stays open', async () => {
  await makeStore('a.store')
  writeFileSync(join(folder, 'zeros'), new Uint8Array(40_000))
  const openFiles = () => readdirSync('/proc/self/fd').length
  await stores({ folder })
  const before = openFiles()
  for (let i = 0; i < 10; i++) await stores({ folder })
  expect(openFiles()).toBeLessThan(before + 10)
})

test('an open store is listed with its journal, and goes on', async () => {
  const path = join(folder, 'open.sqlite')
  const store = await openRecall({ path, embedder: null })
  await store.put(records)
  const [listed, ...others] = await stores({ folder })
  expect(others).toEqual([])
  expect(listed).toMatchObject({ name: path, missing: false })
  expect(listed?.bytes).toBeGreaterThanOrEqual(statSync(path).size + statSync(`${path}-wal`).size)
  await store.put({ id: 'later', body: 'One more.' })
  expect(await store.count({})).toBe(records.length + 1)
  await store.close()
})

test('a store whose first page is damaged is listed, and left as it is', async () => {
  const path = await makeStore('damaged.sqlite')
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(4096, 7), 0, 4096, 0)
  closeSync(file)
  const before = readFileSync(path)
  await expect(openRecall({ path, embedder: null })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  expect(await stores({ folder })).toMatchObject([{ name: path, bytes: before.length, missing: false }])
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a store of which only the second page is left is listed', async () => {
  const path = await makeStore('second-page.sqlite')
  const bytes = readFileSync(path)
  bytes.fill(7, 0, pageBytes).fill(7, 2 * pageBytes)
  writeFileSync(path, bytes)
  expect(await stores({ folder })).toMatchObject([{ name: path, missing: false }])
})

test('control: a damaged file without one page that a store wrote is not listed', async () => {
  const path = await makeStore('ruined.sqlite')
  writeFileSync(path, new Uint8Array(statSync(path).size).fill(7))
  expect(await stores({ folder })).toEqual([])
})

test('a store that was killed and lost its file is listed as missing', async () => {
  const path = join(folder, 'lost.sqlite')
  const store = await openRecall({ path, embedder: null })
  await store.put(records)
  const beside = ['-wal', '-revision'].map((end) => [end, readFileSync(path + end)] as const)
  await store.close()
  rmSync(path)
  for (const [end, bytes] of beside) writeFileSync(path + end, bytes)
  expect(await stores({ folder })).toMatchObject([{ name: path, missing: true }])
})

test('without a folder, the working directory is listed; stores in memory are in no list', async () => {
  const memory = await openRecall({ name: 'only in memory', embedder: null })
  const before = process.cwd()
  process.chdir(folder)
  try {
    expect(await stores()).toEqual([])
    const path = await makeStore('here.sqlite')
    expect(await stores()).toMatchObject([{ name: path }])
  } finally {
    process.chdir(before)
    await memory.close()
  }
})

test.each([
  [{ folder: 7 }, 'folder'],
  [{ folder: '' }, 'folder'],
  [{ folder: 'a\0b' }, 'folder'],
  [{ folder: '/does/not/exist' }, 'folder'],
  [{ path: 'x' }, 'path'],
  [null, 'options'],
  ['folder', 'options'],
])('[E1] %j is refused', async (options, field) => {
  await expect(stores(options as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
})

async function foreignDatabase(): Promise<Uint8Array> {
  const sqlite3 = await initSqlite()
  const database = new sqlite3.oo1.DB(':memory:')
  database.exec('PRAGMA page_size=8192; CREATE TABLE t (x); INSERT INTO t VALUES (randomblob(40000))')
  const bytes = sqlite3.capi.sqlite3_js_db_export(database)
  database.close()
  return bytes
}
