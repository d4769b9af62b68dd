/**
 * Tests the choice between bridge and plain statements: what makes the feature test refuse, what a reader reports
 * then, and that readers share what they install in a SQLite module.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPostingsReader } from '../../../worker/sqlite/fts5/postings.ts'
import { createBridgeReader } from '../../../worker/sqlite/fts5/postings-bridge.ts'
import { bridgeRefusal } from '../../../worker/sqlite/fts5/postings-probe.ts'
import type { SqliteModule } from '../../../worker/sqlite/types.ts'
import { openFixture, type PostingsFixture } from './postings-fixture.ts'

let store: PostingsFixture

beforeEach(async () => {
  store = await openFixture()
  store.put(1, ['a jay', '', 'hides an acorn', '', '', '', ''])
  store.put(2, ['', '', 'the jay finds the acorn', '', '', '', ''])
})

afterEach(() => store.close())

/** The same SQLite, seen through its own module object with some members replaced. */
function altered(members: {
  readonly capi?: Partial<SqliteModule['capi']>
  readonly wasm?: Readonly<Record<string, unknown>>
}): SqliteModule {
  const { capi, wasm } = store.sqlite3
  return { capi: { ...capi, ...members.capi }, wasm: { ...wasm, ...members.wasm } as SqliteModule['wasm'] }
}

/** An FTS5 whose function table returns functions that pass through `change`. */
function lyingFts5(change: (values: unknown[], result: unknown) => unknown): SqliteModule {
  const table = store.sqlite3.wasm.functionTable()
  const get = (index: number) => {
    const original = table.get(index) as (...values: unknown[]) => unknown
    return (...values: unknown[]) => change(values, original(...values))
  }
  return altered({ wasm: { functionTable: () => ({ get }) } })
}

it('uses the bridge with the pinned build of SQLite', () => {
  expect(bridgeRefusal(store.sqlite3)).toBeNull()
  const reader = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  expect([reader.mode, reader.fallbackReason]).toEqual(['bridge', null])
  reader.close()
})

it('passes the feature test through an altered module object that changes nothing', () => {
  expect(bridgeRefusal(altered({}))).toBeNull()
  expect(bridgeRefusal(lyingFts5((_values, result) => result))).toBeNull()
})

const refusals: readonly [name: string, reason: RegExp, build: () => SqliteModule][] = [
  ['no fts5_api', /give access to its fts5_api/, () => altered({ capi: { sqlite3_bind_pointer: () => 0 } })],
  ['an old API', /too old/, () => altered({ wasm: { peek32: () => 1 } })],
  ['hidden memory', /does not expose its memory/, () => altered({ wasm: { memory: undefined } })],
  [
    'wrong rowids',
    /different lists/,
    () => lyingFts5((_values, result) => (typeof result === 'bigint' ? result + 1n : result)),
  ],
  [
    'a failing walk',
    /could not walk/,
    () => lyingFts5((values, result) => (values.length === 4 && result === 0 ? 1 : result)),
  ],
]

it.each(refusals)('[P2] falls back to plain statements on %s, reports why, and still reads', (_name, reason, build) => {
  const reader = createPostingsReader(build(), store.pointer, 'record_fts')
  expect(reader.mode).toBe('plain')
  expect(reader.fallbackReason).toMatch(reason)
  const [jay, phrase] = reader.read(['"jay"', '"the acorn"'])
  expect([Array.from(jay?.keys ?? []), Array.from(jay?.titleCounts ?? [])]).toEqual([
    [1, 2],
    [1, 0],
  ])
  expect(Array.from(phrase?.keys ?? [])).toEqual([2])
  reader.close()
})

it('installs its functions once: 50 readers grow neither the function table nor the memory in use', () => {
  const use = () => {
    const reader = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
    expect(reader.read(['"jay"'])[0]?.keys.length).toBe(2)
    reader.close()
  }
  use()
  const entries = store.sqlite3.wasm.functionTable().length
  const bytes = memoryInUse()
  for (let i = 0; i < 50; i++) use()
  expect(store.sqlite3.wasm.functionTable().length - entries).toBe(0)
  expect(memoryInUse() - bytes).toBeLessThan(4096)
})

it('serves two databases of one module side by side', async () => {
  const other = await openFixture()
  other.put(9, ['jay', '', '', '', '', '', ''])
  const first = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  const second = createPostingsReader(other.sqlite3, other.pointer, 'record_fts')
  for (let i = 0; i < 3; i++) {
    expect(Array.from(first.read(['"jay"'])[0]?.keys ?? [])).toEqual([1, 2])
    expect(Array.from(second.read(['"jay"'])[0]?.keys ?? [])).toEqual([9])
  }
  first.close()
  expect(Array.from(second.read(['"jay"'])[0]?.keys ?? [])).toEqual([9])
  second.close()
  other.close()
})

it('[E1] refuses to read once closed, may be closed twice, and needs an existing table', () => {
  const reader = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  reader.close()
  reader.close()
  expect(() => reader.read(['"jay"'])).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  const open = (table: string) => () => createPostingsReader(store.sqlite3, store.pointer, table)
  expect(open('record_fts" --')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  expect(open('absent_fts')).toThrow(/absent_fts/)
})

it('does nothing when its SQL function is called by others, and goes on afterwards', () => {
  const reader = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  const sql = 'SELECT scrubjay_postings(record_fts) FROM record_fts WHERE record_fts MATCH ?'
  expect(store.rows(sql, ['jay'])).toEqual([[null], [null]])
  expect(reader.read(['"jay"'])[0]?.keys.length).toBe(2)
  reader.close()
})

it('reports another copy of the code that registered the function on the connection', () => {
  const reader = createPostingsReader(store.sqlite3, store.pointer, 'record_fts')
  const stranger = createBridgeReader(altered({}), store.pointer, 'record_fts')
  expect(() => stranger.read(['"jay"'])).toThrow(/another copy/)
  stranger.close()
  reader.close()
})

function memoryInUse(): number {
  const { capi, wasm } = store.sqlite3
  const slots = wasm.alloc(16)
  try {
    capi.sqlite3_status(capi.SQLITE_STATUS_MEMORY_USED, slots, slots + 8, 0)
    return wasm.peek32(slots) as number
  } finally {
    wasm.dealloc(slots)
  }
}
