/**
 * [M2] Checks that a store that is only read keeps no more than its cache limits, and that `status().memoryBytes`
 * counts it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { staticEmbedder } from '../../../src/embedders/static-embedder.ts'
import { builtInSpace } from '../../../src/protocol/embedder.ts'
import type { EmbeddingPort } from '../../../src/protocol/engine-options.ts'
import { openEmbeddingPort, serveEmbedding } from '../../../worker/rpc/embedder-over-port.ts'
import { emptyPostingList, type PostingList } from '../../../worker/sqlite/fts5/postings-list.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { maxStatements, openSqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createLexicalIndex, postingsCache } from '../../../worker/store/derived/lexical-index.ts'
import { nearCache } from '../../../worker/store/derived/vocabulary.ts'
import { createScopeKeys, scopesCache } from '../../../worker/store/derived/scope-keys.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const records = Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, body: `apple pie number ${i}` }))
const unknownWords = (question: number) => Array.from({ length: 250 }, (_, j) => `w${question}b${j}`).join(' ')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapBytes = () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('the table of the built-in embedder', () => {
  const statusBytes = async (embedding: EmbeddingPort) => {
    const { call } = await openEngine({ space: builtInSpace }, embedding)
    const embedder = async () => (await call('status', {})).memoryBytes.embedder
    const before = await embedder()
    await call('put', { batch: records.slice(0, 1) })
    return { before, after: await embedder() }
  }
  const tableBytes = 4_000_000

  test('[M2] is counted once it is loaded', async () => {
    const { before, after } = await statusBytes(staticEmbedder())
    expect(before).toBe(0)
    expect(after).toBeGreaterThan(tableBytes)
  })

  test('[M2] is counted in another thread, too', async () => {
    const { port1, port2 } = new MessageChannel()
    serveEmbedding(port1 as never, staticEmbedder())
    const { before, after } = await statusBytes(openEmbeddingPort(port2 as never))
    port1.close()
    expect(before).toBe(0)
    expect(after).toBeGreaterThan(tableBytes)
  })

  test('[M2] control: without an embedder nothing is counted', async () => {
    const { call } = await openEngine()
    expect((await call('status', {})).memoryBytes.embedder).toBe(0)
  })
})

describe('questions of unknown words', () => {
  test('[M2] 300 questions of 250 words each leave memory flat, and are counted', async () => {
    const { call } = await openEngine()
    await call('put', { batch: records })
    const postings = async () => (await call('status', {})).memoryBytes.postings
    const ask = async (from: number, to: number) => {
      for (let k = from; k < to; k++) await call('recall', { query: { text: `apple ${unknownWords(k)}` } })
    }
    const atFirst = await postings()
    await ask(0, 100)
    const [afterHundred, heapAfterHundred] = [await postings(), heapBytes()]
    expect(afterHundred - atFirst).toBeGreaterThan(1_000_000)
    await ask(100, 300)
    // 75,000 words at 118 bytes each would be 8.9 MB; words near mistyped ones have a cache of their own.
    expect((await postings()) - atFirst).toBeLessThan(118 * postingsCache.entries + nearCache.bytes + 100_000)
    // 50,000 more words: at 100 bytes each they would be 5 MB.
    expect(heapBytes() - heapAfterHundred).toBeLessThan(4_000_000)
    expect((await call('recall', { query: { text: 'apple' } })).hits).toHaveLength(10)
  })
})

describe('posting lists', () => {
  const open = async (listOf: (phrase: string) => PostingList) => {
    const { database } = await openMemory(await initSqlite(), 'lists')
    database.execute(`CREATE VIRTUAL TABLE record_fts USING fts5(a, b, c, d, e, f, g)`)
    database.execute(`CREATE TABLE passages (key INTEGER PRIMARY KEY, borders BLOB)`)
    let reads = 0
    const read = (phrases: readonly string[]) => {
      reads += phrases.length
      return phrases.map(listOf)
    }
    const reader = { mode: 'plain', fallbackReason: null, read, close() {} } as const
    return { index: createLexicalIndex(database, reader), reads: () => reads }
  }

  test('[M2] of more words than the cache has entries: the first are read again and the last are not', async () => {
    const { index, reads } = await open(emptyPostingList)
    for (let i = 0; i <= postingsCache.entries; i++) index.postings([`"w${i}"`])
    index.postings([`"w${postingsCache.entries}"`])
    expect(reads()).toBe(postingsCache.entries + 1)
    index.postings(['"w0"'])
    expect(reads()).toBe(postingsCache.entries + 2)
  })

  test('[M2] an entry counts for its phrase and its lists, and long lists make room for each other', async () => {
    const keys = 100_000
    const { index, reads } = await open(() => ({
      keys: new Uint32Array(keys),
      counts: new Uint16Array(keys),
      titleCounts: new Uint8Array(keys),
      places: new Uint32Array(0),
    }))
    const before = index.cacheBytes()
    index.postings(['"a"'])
    expect(index.cacheBytes() - before).toBeGreaterThan(7 * keys)
    for (let i = 0; i < 60; i++) index.postings([`"b${i}"`])
    expect(index.cacheBytes() - before).toBeLessThanOrEqual(postingsCache.bytes)
    index.postings(['"a"'])
    expect(reads()).toBe(62)
  })
})

describe('scopes', () => {
  test('[M2] are kept up to a number and up to a size, names included', async () => {
    const { database } = await openMemory(await initSqlite(), 'scopes')
    database.execute(`CREATE TABLE k (key INTEGER)`)
    const query = () => ({ sql: `SELECT key FROM k`, bind: [] })
    const scopes = createScopeKeys(database)
    for (let i = 0; i < 3 * scopesCache.scopes; i++) scopes.read(`scope ${i}`, query, 1_000_000)
    expect(scopes.bytes()).toBeGreaterThan(scopesCache.scopes * 125_000)
    expect(scopes.bytes()).toBeLessThan(scopesCache.scopes * 126_000)
    for (let i = 0; i < 20; i++) scopes.read(`${i}${'x'.repeat(2_000_000)}`, query, 8)
    expect(scopes.bytes()).toBeLessThanOrEqual(scopesCache.bytes)
    scopes.clear()
    expect(scopes.bytes()).toBe(0)
  })
})

describe('prepared statements', () => {
  test('[M2] are bounded; those that are running, or needed without memory, are never dropped', async () => {
    const sqlite3 = await initSqlite()
    const database = openSqliteDatabase(sqlite3, { filename: ':memory:' })
    database.execute(`CREATE TABLE t (n INTEGER)`)
    database.execute(`INSERT INTO t VALUES (1), (2), (3)`)
    const prepared = () => {
      let count = 0
      let statement = 0
      const next = sqlite3.capi.sqlite3_next_stmt as unknown as (database: number, after: number) => number
      while ((statement = next(database.pointer, statement)) !== 0) count++
      return count
    }
    let rows = 0
    database.each(`SELECT n FROM t`, [], () => {
      rows++
      for (let i = 0; i < maxStatements; i++) database.each(`SELECT ${rows} + ${i}`, [], () => {})
    })
    expect(rows).toBe(3)
    expect(prepared()).toBeLessThanOrEqual(maxStatements)
    expect(() =>
      database.transaction(() => {
        database.execute(`DELETE FROM t`)
        throw new Error('for this test')
      }),
    ).toThrow('for this test')
    const left: number[] = []
    database.each(`SELECT n FROM t`, [], (row) => left.push(row.number(0)))
    expect(left).toEqual([1, 2, 3])
    database.close()
  })

  test('[M2] a scope of every shape is answered by a bounded number of them', async () => {
    const { call } = await openEngine()
    await call('put', { batch: records })
    const sqliteBytes = async () => (await call('status', {})).memoryBytes.sqlite
    const ask = async (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const tags = { all: Array.from({ length: i % 250 }, (_, j) => `t${j}`) }
        const fields = Math.floor(i / 250)
        const names = {
          ...(fields & 1 ? { project: 'a' } : {}),
          ...(fields & 2 ? { agent: 'a' } : {}),
          ...(fields & 4 ? { kind: 'a' } : {}),
        }
        await call('count', { scope: { tags, ...names } })
      }
    }
    // Fills the cache of statements. Until then SQLite's memory grows, in steps of many MB.
    await ask(0, 1_250)
    const before = await sqliteBytes()
    await ask(1_250, 2_000)
    expect((await sqliteBytes()) - before).toBeLessThan(2_000_000)
  })
})
