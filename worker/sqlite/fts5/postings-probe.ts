/**
 * Tests the posting bridge: reads a small table of a private in-memory database in both ways and compares the bytes. A private
 * table can be tested before the store has rows, and leaves no trace in the store. All connections of a SQLite module share one FTS5,
 * so the result is cached for each module.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { SqliteModule } from '../types.ts'
import { createBridgeReader } from './postings-bridge.ts'
import { samePostings } from './postings-list.ts'
import { createPlainReader } from './postings-plain.ts'
import { runOnce, withSlot } from './postings-statement.ts'

const verdicts = new WeakMap<object, string | null>()

/** Why the bridge must not be used with this SQLite module; null if it reads the same lists as plain statements. */
export function bridgeRefusal(sqlite3: SqliteModule): string | null {
  const cached = verdicts.get(sqlite3.wasm)
  if (cached !== undefined) return cached
  const verdict = probe(sqlite3)
  verdicts.set(sqlite3.wasm, verdict)
  return verdict
}

/** The test passed with this build earlier. */
export function acceptBridge({ wasm }: SqliteModule): void {
  if (!verdicts.has(wasm)) verdicts.set(wasm, null)
}

const rows: readonly (readonly [key: number, title: string, body: string])[] = [
  [1, 'Acorn caches', 'A scrub jay hides acorns, and the jay remembers each cache for months.'],
  [2, 'Café', 'Nothing of the kind was stored here.'],
  [7, 'Store, stores, storing', 'To store is to trust the store: storage costs a cache of acorns.'],
  [4_000_000_000, 'Late key', 'The last acorn cache; the acorn cache, again the acorn cache.'],
]
const phrases = [
  '"acorn"',
  '"acorns cache"',
  '"stor"*',
  '"cafe"',
  '"absent"',
  '"the ca"*',
  '"…"',
  '"say ""jay"""',
  '{title} : "stor"*',
]

/** The keys 2 and 7. */
const longKeys = Uint8Array.of(0b1000_0100)

function probe(sqlite3: SqliteModule): string | null {
  try {
    return withMemoryDatabase(sqlite3, (database) => {
      const run = (sql: string, values: readonly (string | number)[] = []) => runOnce(sqlite3, database, sql, values)
      run(`CREATE VIRTUAL TABLE probe USING fts5(title, body, tokenize='porter unicode61 remove_diacritics 2')`)
      for (const row of rows) run('INSERT INTO probe(rowid, title, body) VALUES (?1, ?2, ?3)', row)
      const bridge = createBridgeReader(sqlite3, database, 'probe')
      const plain = createPlainReader(sqlite3, database, 'probe', 'probe')
      try {
        const lists = bridge.read(phrases, longKeys)
        if (lists.every(({ keys }) => keys.length === 0)) return 'the bridge found nothing in the test table'
        return samePostings(lists, plain.read(phrases, longKeys))
          ? null
          : 'bridge and plain statements read different lists'
      } finally {
        bridge.close()
        plain.close()
      }
    })
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}

function withMemoryDatabase<T>(sqlite3: SqliteModule, use: (database: number) => T): T {
  const { capi, wasm } = sqlite3
  const database = withSlot(sqlite3, (slot) => {
    const flags = capi.SQLITE_OPEN_CREATE | capi.SQLITE_OPEN_READWRITE
    const code = capi.sqlite3_open_v2(':memory:', slot, flags, 0)
    const opened = wasm.peekPtr(slot) as number
    if (code === 0) return opened
    capi.sqlite3_close_v2(opened)
    throw recallError('INVALID_CONFIG', 'SQLite could not open a database in memory', { value: code })
  })
  try {
    return use(database)
  } finally {
    capi.sqlite3_close_v2(database)
  }
}
