/** Tests a server over PostgreSQL: the remote client, isolation, limits, figures, live queries, cut connections and shutdown. */
import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocketOfWs from 'ws'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { openRecall, type RecallResult } from '../../../src/index.ts'
import { hashToken, type RecallServer, type ServerOptions, serve } from '../../../src/server/index.ts'
import { createRandom } from '../../support/data/random.ts'
import { sizedTo } from '../../support/data/sized.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'

const now = () => Date.UTC(2026, 0, 1)
const [questions, stored] = [sizedTo(4, 1_000), sizedTo(60, 500)]
const longestMs = sizedTo(120_000, 1_200_000)
const tokens = { [hashToken('hers-token')]: 'hers', [hashToken('his-token')]: 'his', [hashToken('third')]: 'third' }

describe.skipIf(noPostgres !== null)('a server', () => {
  let database: Postgres
  let pool: pg.Pool
  const running: RecallServer[] = []
  const start = async (options: Partial<ServerOptions> = {}) => {
    const server = await serve(
      { postgres: pool, tokens, store: { embedder: null }, pollMs: 50, ...options },
      { port: 0 },
    )
    running.push(server)
    return server
  }
  const open = (server: Pick<RecallServer, 'url'>, token: string) => openRecall({ remote: server.url, token, now })
  beforeAll(async () => {
    database = await startPostgres()
    pool = database.pool()
  })
  afterAll(async () => {
    for (const server of running) await server.close()
    await pool?.end()
    await database?.stop()
  })

  it('[N2] two nodes answer byte for byte as a tab, under all policies', { timeout: longestMs }, async () => {
    const limits = { callsPerSecond: 1e6 }
    const nodes = [await start({ limits }), await start({ limits })] as const
    const [first, second] = [await open(nodes[0], 'third'), await open(nodes[1], 'third')] as const
    const ordinary = await openRecall({ name: 'ordinary', storage: 'memory', embedder: null, now })
    const words = ['jay', 'acorn', 'oak', 'cache', 'failure', 'useEffect', '-0', 'Ümlaut']
    const records = Array.from({ length: stored }, (_, i) => ({
      id: `r${i}`,
      body: Array.from({ length: 6 }, (_one, n) => words[(i * 7 + n * (i % 5)) % words.length]).join(' '),
      tags: [`t${i % 3}`],
      importance: i % 4,
      metadata: { zero: -0, of: { $: 'odd' } },
      session: `s${i % 7}`,
      position: i,
    }))
    expect((await first.put(records)).durability).toBe('committed')
    await ordinary.put(records)
    const texts = ['jay acorn', 'failures of the cache', 'use effect "oak jay"', 'nothing at all']
    const random = createRandom(22)
    const more = [...words, 'jays', 'effect', 'umlaut', 'chache', '"oak jay"', '-jay', 'of the', 'yesterday', 'nothing']
    const asked = Array.from({ length: questions }, (_, i) => ({
      text: texts[i] ?? Array.from({ length: 1 + random.below(5) }, () => random.pick(more)).join(' '),
      limit: i < texts.length ? 7 : 1 + random.below(30),
    }))
    const plain = ({ tookMs: _time, ...answer }: RecallResult) =>
      canonicalJson(JSON.parse(JSON.stringify({ ...answer, receipt: { ...answer.receipt, id: '', storeRevision: 0 } })))
    for (const [name, policy] of everyPolicy)
      for (const { text, limit } of asked) {
        const query = { text, policy, ledger: true, limit } as const
        const expected = plain(await ordinary.recall(query))
        expect(plain(await first.recall(query)), `${name}: ${text}`).toBe(expected)
        expect(plain(await second.recall(query)), `${name}: ${text}`).toBe(expected)
      }
    expect(await second.get(['r1', 'none'])).toEqual(await ordinary.get(['r1', 'none']))
    expect((await second.status()).backend).toBe('server')
    const parts: Uint8Array[] = []
    for await (const part of second.exportTo()) parts.push(part)
    const copy = await openRecall({ name: 'copy', storage: 'memory', embedder: null, now })
    expect(await copy.importFrom(new Blob(parts as BlobPart[]), { mode: 'merge' })).toMatchObject({ inserted: stored })
    await expect(first.put({ id: 'bad', body: 7 as never })).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      field: 'body',
    })
    await expect(first.recall({ text: 'x', limit: -1 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'query.limit',
    })
    await Promise.all([first, second, ordinary, copy].map((store) => store.close()))
    await expect(first.count()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('[N1] the canary word of one tenant is in no byte that another one gets', async () => {
    const server = await start({ openStores: 1 })
    const seen: string[] = []
    const hers = await open(server, 'hers-token')
    const socket = new WebSocketOfWs(`${server.url.replace('http', 'ws')}/v1/live`, 'scrubjay')
    socket.on('message', (data) => seen.push(String(data)))
    await hers.put({ id: 'canary-id', title: 'canary-title', body: 'zanzibar canary', tags: ['canary-tag'] })
    const post = async (token: string, method: string, request: object) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const answer = await fetch(`${server.url}/v1/call`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ method, request }),
      })
      return answer.text()
    }
    const asked: readonly (readonly [string, object])[] = [
      ['recall', { query: { text: 'zanzibar', ledger: true, explain: true } }],
      ['list', { filter: {} }],
      ['get', { ids: ['canary-id'] }],
      ['tags', { scope: {} }],
      ['suggest', { prefix: 'zanz', request: {} }],
      ['facets', { request: { keys: ['tags'] } }],
      ['events', {}],
      ['status', {}],
      ['why', { query: { text: 'zanzibar' }, id: 'canary-id' }],
      ['verifyForgotten', { id: 'other' }],
      ['wrong', {}],
    ]
    for (const [method, request] of asked) seen.push(await post('his-token', method, request))
    seen.push(await post('wrong-token', 'list', {}), await (await fetch(`${server.url}/metrics`)).text())
    // What he sent himself comes back: his question and the ids he asked for.
    const foreign = seen.join('\n').replaceAll(/"canary-id"|zanzibar/g, '')
    expect(foreign).not.toMatch(/canary|hers/)
    expect(await post('hers-token', 'list', {})).toContain('zanzibar canary')
    socket.terminate()
    await hers.close()
  })

  it('control: a server that confuses its tenants shows the canary', async () => {
    const server = await start({ tokens: undefined, authenticate: () => 'hers' })
    const his = await open(server, 'his-token')
    expect(canonicalJson((await his.list()).items.map(({ body }) => body))).toContain('canary')
    await his.close()
  })

  it('live queries follow the writes of another node', async () => {
    const [first, second] = [await open(await start(), 'his-token'), await open(await start(), 'his-token')]
    const answers: string[][] = []
    const stop = second.subscribe({ query: { text: 'fresh acorns' } }, ({ hits }) =>
      answers.push(hits.map(({ id }) => id)),
    )
    await until(() => answers.length === 1)
    await first.put({ id: 'news', body: 'fresh acorns today' })
    await until(() => answers.at(-1)?.includes('news') === true)
    stop()
    await Promise.all([first.close(), second.close()])
  })

  it('[N3] a connection that is cut again and again loses no write and does none twice', async () => {
    const server = await start()
    const cuts = await cuttingProxy(Number(new URL(server.url).port))
    const store = await open({ url: `http://127.0.0.1:${cuts.port}` }, 'hers-token')
    const kept: string[] = []
    const work = async (worker: number) => {
      for (let i = 0; i < 12; i++) {
        const { records } = await store.put({ id: `w${worker}-${i}`, body: `write ${i} of ${worker}` })
        expect(records[0]!.outcome).toBe('inserted')
        kept.push(`w${worker}-${i}`)
      }
    }
    // A write comes between two cuts: on a busy machine no request gets through within one interval.
    let done = -1
    const cutter = setInterval(() => {
      if (kept.length <= done) return
      done = kept.length
      cuts.cut()
    }, 60)
    await Promise.all([0, 1, 2].map(work))
    clearInterval(cutter)
    expect(cuts.count()).toBeGreaterThan(1)
    expect((await store.get(kept)).every((record) => record !== undefined)).toBe(true)
    await store.close()
    cuts.end()
  })

  it('refuses wrong tokens, options and addresses', async () => {
    const server = await start()
    await expect(open(server, 'guess')).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'token' })
    await expect(openRecall({ remote: server.url })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'token' })
    await expect(openRecall({ remote: 'ftp://x', token: 'y' })).rejects.toMatchObject({ field: 'remote' })
    await expect(openRecall({ remote: server.url, token: 'y', name: 'z' })).rejects.toMatchObject({ field: 'name' })
    await expect(openRecall({ token: 'y' })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'remote' })
    await expect(serve({ postgres: pool })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'tokens' })
    const badPool = { query: async () => Promise.reject(new Error('no route')) }
    await expect(serve({ postgres: badPool, tokens })).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404)
    expect((await fetch(`${server.url}/v1/call`, { method: 'POST', body: 'x' })).status).toBe(200)
    const json = {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer no' },
    }
    expect((await fetch(`${server.url}/v1/call`, json)).status).toBe(401)
  })

  it('says whether it is ready, counts calls, and shuts down in order', async () => {
    const server = await start()
    const store = await open(server, 'his-token')
    await store.count()
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    const figures = await (await fetch(`${server.url}/metrics`)).text()
    expect(figures).toMatch(/^scrubjay_calls_total\{method="count",outcome="ok"\} \d+$/m)
    expect(figures).toMatch(/^scrubjay_connections 1$/m)
    const last = store.put(Array.from({ length: 400 }, (_, i) => ({ id: `last ${i}`, body: `body ${i}` })))
    await until(async () => (await (await fetch(`${server.url}/metrics`)).text()).includes('scrubjay_running_calls 1'))
    const url = new URL(server.url)
    await server.close()
    // The running write was answered before the end; the next call waits for a server.
    expect((await last).records).toHaveLength(400)
    const next = store.count()
    running.push(await serve({ postgres: pool, tokens, store: { embedder: null } }, { port: Number(url.port) }))
    expect(await next).toBeGreaterThanOrEqual(400)
    await store.close()
  })
})

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect.fail('it never came true')
}

/** Passes bytes on, and cuts all its connections when asked. */
async function cuttingProxy(target: number) {
  const sockets = new Set<Socket>()
  let count = 0
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    if (sockets.size > 0) count++
    for (const socket of sockets) socket.destroy()
  }
  const end = () => {
    cut()
    proxy.close()
  }
  return { port: (proxy.address() as { readonly port: number }).port, cut, end, count: () => count }
}
