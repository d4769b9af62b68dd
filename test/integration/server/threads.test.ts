/** Tests a server whose engines run in a pool of threads of the built package: answers, live queries, cancelling, errors, a thread that ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { openRecall, type RecallResult } from '../../../src/index.ts'
import { hashToken, type RecallServer, type ServerOptions, serve } from '../../../src/server/index.ts'
import { createThreads } from '../../../worker/node/engine-threads.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'

const now = () => Date.UTC(2026, 0, 1)
const program = new URL('../../../dist/worker/thread.js', import.meta.url)
const names = ['a', 'b', 'c', 'd']
const tokens = Object.fromEntries(names.map((name) => [hashToken(`${name}-token`), name]))
const plain = ({ tookMs: _time, ...answer }: RecallResult) =>
  canonicalJson(JSON.parse(JSON.stringify({ ...answer, receipt: { ...answer.receipt, id: '', storeRevision: 0 } })))

describe.skipIf(noPostgres !== null)('a server with threads', () => {
  let database: Postgres
  const servers: RecallServer[] = []
  const start = async (options: Partial<ServerOptions> = {}) => {
    const store = { embedder: null, ...options.store, assets: { worker: program } }
    const all = { postgres: database.url, tokens, pollMs: 50, threads: 2, ...options, store }
    const server = await serve(all, { port: 0 })
    servers.push(server)
    return server
  }
  const open = (server: RecallServer, name: string) => openRecall({ remote: server.url, token: `${name}-token`, now })
  beforeAll(async () => void (database = await startPostgres()))
  afterAll(async () => {
    for (const server of servers) await server.close()
    await database?.stop()
  })

  it('[N2] answers as a store of this thread, to many stores at once, also after an engine was closed and opened again', async () => {
    const server = await start({ openStores: 2 })
    const body = (name: string, i: number) => `${name} has ${i} acorns in the oak ${i % 3}`
    for (let round = 0; round < 2; round++)
      await Promise.all(
        names.map(async (name) => {
          const records = Array.from({ length: 20 }, (_, i) => ({ id: `${name}${i}`, body: body(name, i + round) }))
          const [remote, ordinary] = [await open(server, name), await openRecall({ name, embedder: null, now })]
          await remote.put(records)
          await ordinary.put(records)
          const query = { text: 'acorns of the oak', ledger: true } as const
          expect(plain(await remote.recall(query))).toBe(plain(await ordinary.recall(query)))
          await expect(remote.put({ body: 7 as never })).rejects.toMatchObject({
            code: 'INVALID_RECORD',
            field: 'body',
          })
          await Promise.all([remote.close(), ordinary.close()])
        }),
      )
  })

  it('tells live queries of writes of another node', async () => {
    const [near, far] = [await open(await start(), 'a'), await open(await start({ threads: 0 }), 'a')]
    let ids: readonly string[] = []
    const stop = near.subscribe({ query: { text: 'nutcracker' } }, ({ hits }) => (ids = hits.map(({ id }) => id)))
    await far.put({ id: 'news', body: 'A nutcracker came' })
    for (let i = 0; i < 400 && !ids.includes('news'); i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(ids).toContain('news')
    stop()
    await Promise.all([near.close(), far.close()])
  })

  it('embeds with an embedder of the app', async () => {
    const texts: string[] = []
    const embed = async (given: readonly string[]) => {
      texts.push(...given)
      return given.map((text) => Float32Array.from([text.length, 1]))
    }
    const server = await start({ store: { embedder: { space: 'own', dimensions: 2, embed } }, schema: 'own' })
    const store = await open(server, 'b')
    await store.put({ id: 'x', body: 'embedded here' })
    expect(texts.join()).toContain('embedded here')
    expect((await store.recall({ text: 'embedded' })).hits[0]?.id).toBe('x')
    await store.close()
  })

  it('refuses extensions that no thread can get, and numbers that are none', async () => {
    const extensions = { countTokens: (text: string) => text.length }
    await expect(start({ store: { extensions } })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'threads' })
    await expect(start({ threads: -1 })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'threads' })
  })
})

it('[N3] a thread that ends loses no acknowledged write: another thread opens the rows', async () => {
  const blocks = memoryBlocks()
  const threads = createThreads(1, program, null, undefined)
  const put = (id: string) => ({
    id: `call ${id}`,
    method: 'put' as const,
    request: { batch: [{ id, body: `body ${id}` }] },
    context: { now: now(), operation: id },
    deadlineMs: 30_000,
  })
  const first = await threads.open(engineOptions, { blocks })
  expect(await first.call(put('a'))).toMatchObject({ ok: true })
  const running = first.call(put('b')).catch(({ code }: { code: string }) => code)
  await threads.close()
  expect([true, 'STORAGE_UNAVAILABLE']).toContain(
    await running.then((reply) => (typeof reply === 'string' ? reply : reply.ok)),
  )
  await expect(first.call(put('c'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  expect(first.isOutdated()).toBe(true)
  const second = await threads.open(engineOptions, { blocks })
  const count = { ...put('x'), method: 'get' as const, request: { ids: ['a'] } }
  expect(await second.call(count)).toMatchObject({ ok: true, value: [{ body: 'body a' }] })
  await threads.close()
})
