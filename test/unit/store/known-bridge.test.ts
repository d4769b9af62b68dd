/** Tests the note that the bridge's feature test passed: when it spares the test, and that it never spares a refusal. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { probeSqlite } from '../../../worker/engine/warm-up.ts'
import { buildOf } from '../../../worker/sqlite/fts5/known-bridge.ts'
import { bridgeRefusal } from '../../../worker/sqlite/fts5/postings-probe.ts'
import type { SqliteModule } from '../../../worker/sqlite/types.ts'
import { openFixture, type PostingsFixture } from './postings-fixture.ts'

let fixture: PostingsFixture
let notes: Map<string, string>

beforeEach(async () => {
  fixture = await openFixture()
  notes = new Map()
  const cache = {
    match: async (key: string) => (notes.has(key) ? new Response(notes.get(key)) : undefined),
    put: async (key: string, response: Response) => void notes.set(key, await response.text()),
  }
  vi.stubGlobal('caches', { has: async () => notes.size > 0, open: async () => cache })
})

afterEach(() => {
  vi.unstubAllGlobals()
  fixture.close()
})

/** The same SQLite as a new module, which counts the databases that the feature test opens. */
function fresh(capi: Partial<SqliteModule['capi']> = {}) {
  let tests = 0
  const { sqlite3 } = fixture
  const open: typeof sqlite3.capi.sqlite3_open_v2 = (...given) => {
    tests++
    return sqlite3.capi.sqlite3_open_v2(...given)
  }
  const module = { capi: { ...sqlite3.capi, sqlite3_open_v2: open, ...capi }, wasm: { ...sqlite3.wasm } }
  return { module: module as never, tests: () => tests }
}

const hasNoApi = { sqlite3_bind_pointer: () => 0 } as never

it('spares the test when this build passed in this browser', async () => {
  const [first, second] = [fresh(), fresh()]
  await probeSqlite(Promise.resolve(first.module), true)
  await probeSqlite(Promise.resolve(second.module), true)
  expect([first.tests(), second.tests(), notes.size]).toEqual([1, 0, 1])
  expect(bridgeRefusal(second.module)).toBeNull()
})

it('control: without notes each module is tested, and nothing is noted', async () => {
  const [first, second] = [fresh(), fresh()]
  await probeSqlite(Promise.resolve(first.module), false)
  await probeSqlite(Promise.resolve(second.module), false)
  expect([first.tests(), second.tests(), notes.size]).toEqual([1, 1, 0])
})

it('[P2] a refusal is not noted, and is found again', async () => {
  for (const { module, tests } of [fresh(hasNoApi), fresh(hasNoApi)]) {
    await probeSqlite(Promise.resolve(module), true)
    expect([tests(), notes.size]).toEqual([1, 0])
    expect(bridgeRefusal(module)).toMatch(/give access to its fts5_api/)
  }
})

it('[P2] a note of another build does not count', async () => {
  await probeSqlite(Promise.resolve(fresh().module), true)
  const other = fresh({ sqlite3_sourceid: () => 'of another release', ...(hasNoApi as object) })
  expect(buildOf(other.module)).not.toBe([...notes.values()][0])
  await probeSqlite(Promise.resolve(other.module), true)
  expect(bridgeRefusal(other.module)).toMatch(/give access to its fts5_api/)
})

it('a changed bridge has another version', () => {
  const sources = ['postings-bridge', 'postings-fts5', 'postings-probe', 'postings-statement']
  const hash = createHash('sha256')
  for (const name of sources) hash.update(readFileSync(`worker/sqlite/fts5/${name}.ts`))
  // If this fails: raise bridgeVersion in known-bridge.ts, then put the new digest here.
  expect(hash.digest('hex').slice(0, 16)).toBe('5a89565faed93739')
})
