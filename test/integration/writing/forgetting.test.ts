/**
 * [W3] Checks that a forgotten record is gone: from rows, text index, vectors and caches, and from every byte that the
 * store would write.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { planWrite } from '../../../src/core/ingest/plan-write.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { atOnce } from '../../../worker/scheduling/steps.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { createSqliteStore } from '../../../worker/store/sqlite-store.ts'
import { createRandom } from '../../support/data/random.ts'
import { checkTextIndex } from '../../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const space = { name: 'sixteen', dimensions: 16 }
const canaries = Array.from({ length: 100 }, (_, i) => canary(i))

/** Thirty-two letters that no other text holds. */
function canary(i: number): string {
  const random = createRandom(9000 + i)
  return Array.from({ length: 32 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
}

const vectorOf = (i: number) => createRandom(500 + i).vector(16)

/**
 * Each canary in another field: texts, tags, paths, terms, metadata, scopes. Ids stay in the log: they must reveal
 * nothing.
 */
function secretRecord(word: string, i: number): RecordInput & { readonly id: string } {
  const place: RecordInput[] = [
    { title: word },
    { body: `${'padding '.repeat(300)}${word}` },
    { body: `図書館 ${word}`, tags: [word] },
    { instruction: 'look', files: [{ path: `src/${word}.ts` }] },
    { command: `run ${word}`, metadata: { n: word } },
    { summary: 's', project: word, topic: word, terms: [{ term: word, kind: 'symbol' }] },
    { summary: 's', anchors: [{ id: word, path: word, kind: word }], relations: [{ kind: word, target: word }] },
  ]
  return { id: `secret-${i}`, ...place[i % place.length]!, vectors: vectorOf(i) }
}

const secrets = canaries.map(secretRecord)

async function openFilled(): Promise<OpenedOver> {
  const opened = await openOver({ space, metadataKeys: ['n'] })
  const random = createRandom(1)
  const others = Array.from({ length: 400 }, (_, i) => ({
    id: `other-${i}`,
    body: `jay ${canary(20_000 + i)} ${'filling '.repeat(i % 50)}`,
    vectors: random.vector(16),
  }))
  await opened.call('put', { batch: [...others.slice(0, 200), ...secrets, ...others.slice(200)] })
  // Moved once, so that an older version existed, too.
  await opened.call('put', {
    batch: secrets.map((record, i) => ({ ...record, source: 'again', title: `moved ${canaries[i]}` })),
  })
  return opened
}

describe('after forgetting', () => {
  let opened: OpenedOver
  beforeAll(async () => {
    opened = await openFilled()
    for (const word of canaries)
      await opened.call('recall', { query: { text: word, prefix: 'last', scope: { project: [word] } } })
    expect(found(bytesOf(opened.database), canaries)).toBe(canaries.length)
    await opened.call('forget', { ids: secrets.map(({ id }) => id) })
  })

  it('[W3] no byte of the database holds a canary, and no vector is left', () => {
    const bytes = bytesOf(opened.database)
    expect(found(bytes, canaries)).toBe(0)
    const vectors = secrets.map((_, i) => Buffer.from(vectorOf(i).buffer).subarray(8, 40).toString('latin1'))
    expect(vectors.filter((vector) => bytes.includes(vector)).length).toBe(0)
  })

  it('[W3] no method finds the records', async () => {
    const { call, database } = opened
    for (const [i, word] of canaries.entries()) {
      const match = all(database, `SELECT rowid FROM record_fts WHERE record_fts MATCH ?`, [`"${word}"`], (row) =>
        row.number(0),
      )
      expect(match).toEqual([])
      const query = { text: `${word} src/${word}.ts`, vector: vectorOf(i), ledger: true }
      const { hits, ledger } = await call('recall', { query })
      expect([...hits, ...ledger].filter(({ id }) => id.startsWith('secret'))).toEqual([])
    }
    expect(await call('count', { scope: {} })).toBe(400)
    expect((await call('tags', { scope: {} })).length).toBe(0)
    checkTextIndex(database)
  })

  it('[W3] verifyForgotten confirms it, and only then', async () => {
    for (const { id } of secrets) {
      expect(await opened.call('verifyForgotten', { id })).toEqual({
        rows: 0,
        fts: 0,
        vectors: 0,
        edges: 0,
        events: 0,
        bytes: 0,
        clean: true,
      })
    }
    const kept = await opened.call('verifyForgotten', { id: 'other-3' })
    expect(kept).toMatchObject({ clean: false, fts: 1, vectors: 1 })
    expect(kept.rows).toBeGreaterThan(0)
    expect(kept.bytes).toBeGreaterThan(0)
  })

  it('[W3] an id that is part of another id is clean', async () => {
    const { call } = opened
    await call('put', { batch: ['a', 'aa', 'ba', 'ab'].map((id) => ({ id, body: id })) })
    await call('forget', { ids: ['a'] })
    expect((await call('verifyForgotten', { id: 'a' })).clean).toBe(true)
    expect((await call('verifyForgotten', { id: 'aa' })).clean).toBe(false)
    expect((await call('get', { ids: ['aa', 'ba', 'ab'] })).every((record) => record !== undefined)).toBe(true)
  })

  it('[W3] they may come back as new records', async () => {
    const { call } = opened
    const [back] = secrets as [RecordInput & { id: string }]
    await call('put', { batch: [back] }, 7)
    expect((await call('get', { ids: [back.id] }))[0]).toMatchObject({ createdAt: 7, updatedAt: 7, source: null })
  })
})

describe('the hash of a content', () => {
  /** The hashes that a store looks up in its rows when it is asked who has this content. */
  async function openWatched() {
    const { database } = await openMemory(await initSqlite(), 'test')
    const bound: unknown[] = []
    const watched: SqliteDatabase = {
      ...database,
      each(sql, bind, visit) {
        bound.push(...bind)
        database.each(sql, bind, visit)
      },
    }
    const store = createSqliteStore(watched, { stemmer: 'porter', metadataKeys: [] })
    const put = (id: string, body: string) => {
      const record = parseRecord({ id, body })
      const prepared = { record, vectors: [], spans: [], vectorsHash: null }
      atOnce(store.commit(planWrite([prepared], store.existing([id]), 1).writes))
      return record.contentHash
    }
    // The first contents are looked up without the hashes in memory.
    for (let i = 0; i < 64; i++) store.keysByContent('of no content')
    const keysOf = (hash: string) => {
      bound.length = 0
      return { keys: store.keysByContent(hash).length, isLookedFor: bound.includes(hash) }
    }
    return { store, put, keysOf }
  }

  it('[W3] leaves memory when every record with it is forgotten', async () => {
    const { store, put, keysOf } = await openWatched()
    const hash = put('a', 'said twice')
    put('b', 'said twice')
    expect(keysOf(hash)).toEqual({ keys: 2, isLookedFor: true })
    atOnce(store.forget(['a', 'b'], 2))
    expect(keysOf(hash)).toEqual({ keys: 0, isLookedFor: false })
  })

  it('[W3] control: it stays while others have it, and the hash of content without a repeat was never held', async () => {
    const { store, put, keysOf } = await openWatched()
    const hash = put('a', 'said twice')
    put('b', 'said twice')
    put('c', 'said twice')
    const single = put('d', 'said once')
    atOnce(store.forget(['a'], 2))
    expect(keysOf(hash)).toEqual({ keys: 2, isLookedFor: true })
    expect(keysOf(single)).toEqual({ keys: 0, isLookedFor: false })
  })
})

describe('forgetting by scope', () => {
  it.each([{}, { tags: {} }, { tags: { all: [] } }, { tags: { none: undefined } }, { time: {} }, { metadata: {} }])(
    '[W3] %j has no condition and is refused',
    async (scope) => {
      const { call } = await openOver()
      await call('put', { batch: [{ id: 'a', body: 'kept' }] })
      await expect(call('forget', { scope })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'scope' })
      expect(await call('count', { scope: {} })).toBe(1)
    },
  )

  it('[W3] takes exactly the scope, and names the ids that were not there', async () => {
    const { call } = await openOver()
    await call('put', {
      batch: [
        { id: 'a', body: 'x', tags: ['t'] },
        { id: 'b', body: 'y' },
        { id: 'c', body: 'z', tags: ['t'] },
      ],
    })
    expect(await call('forget', { scope: { tags: { any: ['t'] } } })).toMatchObject({
      forgotten: ['a', 'c'],
      missing: [],
      revision: 2,
    })
    expect(await call('forget', { ids: ['b', 'nobody', 'b'] })).toMatchObject({
      forgotten: ['b'],
      missing: ['nobody'],
      revision: 3,
    })
    expect(await call('forget', { ids: [] })).toMatchObject({ forgotten: [], missing: [], revision: 3 })
  })
})

describe('control', () => {
  it('[W3] with secure_delete off the canaries stay in the bytes', async () => {
    const { call, database } = await openFilled()
    database.execute('PRAGMA secure_delete=OFF')
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('secure-delete', 0)`)
    await call('forget', { ids: secrets.map(({ id }) => id) })
    expect(found(bytesOf(database), canaries)).toBeGreaterThan(50)
  })
})

/** The file as it would lie on disk, as a string of bytes. */
function bytesOf({ sqlite3, pointer }: SqliteDatabase): string {
  return Buffer.from(sqlite3.capi.sqlite3_js_db_export(pointer)).toString('latin1')
}

function found(bytes: string, words: readonly string[]): number {
  return words.filter((word) => bytes.includes(word)).length
}
