/**
 * Tests httpEmbedder against a real server on this machine: order, batches, retries, delays, timeouts, and secrecy of
 * the key.
 */
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import { type HttpEmbedderOptions, httpEmbedder } from '../../../src/embedders/index.ts'
import { openRecall } from '../../../src/index.ts'
import {
  type EmbeddingsServer,
  type Misbehaviour,
  openEmbeddingsServer,
  reply,
  vectorOf,
} from '../../support/data/embeddings-server.ts'

const dimensions = 4
const key = 'sk-test-6f1e2d3c4b5a'

let server: EmbeddingsServer

beforeEach(async () => {
  server = await openEmbeddingsServer(dimensions)
})

afterEach(() => server.close())

const open = (options: Partial<HttpEmbedderOptions> = {}) =>
  httpEmbedder({ url: server.url, model: 'small', dimensions, key, backoffMs: 20, ...options })

const failing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Misbehaviour =>
  (response) =>
    reply(response, status, { error: { message: `no, ${key}` } }, headers)

async function errorOf(work: Promise<unknown>): Promise<RecallError> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RecallError)
  // The key is nowhere: not in the message, not in a cause, not in a property.
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key)
  return error as RecallError
}

describe('httpEmbedder', () => {
  test('sends batches and orders the answer by index', async () => {
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    const vectors = await open({ batchSize: 2, body: (role) => ({ input_type: role }) }).embed(texts, 'document')
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map((text) => vectorOf(text, dimensions)))
    expect(vectors.every((vector) => vector instanceof Float32Array)).toBe(true)
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'small', input: ['a', 'bb'], input_type: 'document' },
      { model: 'small', input: ['ccc', 'dddd'], input_type: 'document' },
      { model: 'small', input: ['eeeee'], input_type: 'document' },
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('sends nothing for no texts, and one request for one question', async () => {
    const embedder = open({ prefixes: { query: 'query: ', document: '' } })
    expect(await embedder.embed([], 'document')).toEqual([])
    const [first] = await embedder.embed(['again'], 'query')
    first?.fill(0)
    expect([...((await embedder.embed(['again'], 'query'))[0] ?? [])]).toEqual(vectorOf('query: again', dimensions))
    expect(server.requests).toHaveLength(1)
  })

  test('calls a function for the key before each request, and stores no key', async () => {
    const keys = ['one', 'two']
    const embedder = open({ key: async () => keys.shift()!, batchSize: 1 })
    await embedder.embed(['a', 'b'], 'document')
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two'])
    expect(inspect(open(), { depth: 9, showHidden: true })).not.toContain(key)
    expect(JSON.stringify(open())).not.toContain(key)
  })

  test.each([429, 500, 502, 503])('sends a request again after %i', async (status) => {
    server.next(failing(status), failing(status))
    expect(await open().embed(['a'], 'query')).toHaveLength(1)
    expect(server.requests).toHaveLength(3)
  })

  test('sends a request again when the network fails', async () => {
    server.next((response) => response.destroy())
    expect(await open().embed(['a'], 'query')).toHaveLength(1)
    expect(server.requests).toHaveLength(2)
  })

  test('gives up after the last attempt, with a temporary failure', async () => {
    server.next(failing(503), failing(503), failing(503))
    const error = await errorOf(open({ attempts: 3 }).embed(['a'], 'query'))
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toMatch(/answered 503 after 3 attempts/)
    expect(server.requests).toHaveLength(3)
  })

  test('waits longer each time, and as long as Retry-After says', async () => {
    server.next(failing(503), failing(503), failing(429, { 'retry-after': '1' }))
    await open({ backoffMs: 60 }).embed(['a'], 'query')
    const waits = server.requests.slice(1).map(({ at }, i) => at - (server.requests[i]?.at ?? 0))
    expect(waits[0]).toBeGreaterThan(28)
    expect(waits[1]).toBeGreaterThan(58)
    expect(waits[2]).toBeGreaterThan(990)
  })

  test('reads a date in Retry-After, and does not wait beyond the longest wait', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    server.next(failing(429, { 'retry-after': inAnHour }))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const error = await errorOf(open({ timeoutMs: 10_000, maxWaitMs: 20_000 }).embed(['a'], 'query'))
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(server.requests).toHaveLength(1)
    // A request has its own timeout; a wait would be another timer, of at least 20 seconds.
    const delays = timers.mock.calls.map(([, ms = 0]) => ms)
    timers.mockRestore()
    expect(delays).toContain(10_000)
    expect(Math.max(...delays)).toBe(10_000)
  })

  test.each([
    [400, 'embedder.url'],
    [401, 'embedder.key'],
    [403, 'embedder.key'],
    [404, 'embedder.url'],
    [422, 'embedder.url'],
  ])('treats %i as a refusal and does not ask again', async (status, field) => {
    server.next(failing(status))
    expect(await errorOf(open().embed(['a'], 'query'))).toMatchObject({ code: 'INVALID_CONFIG', field })
    expect(server.requests).toHaveLength(1)
  })

  test('follows no redirect: the key is only for this address', async () => {
    const other = await openEmbeddingsServer(dimensions)
    try {
      server.next((response) => reply(response, 307, '', { location: other.url }))
      expect(await errorOf(open().embed(['a'], 'query'))).toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'embedder.url',
      })
      expect(other.requests).toEqual([])
      // A redirect is an answer, so the request is not repeated.
      expect(server.requests).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  test('ends a request that takes too long', async () => {
    server.next(() => undefined)
    // Long enough that the request arrives on a busy machine, too.
    const error = await errorOf(open({ timeoutMs: 1_000 }).embed(['a'], 'query'))
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', field: 'embedder.timeoutMs' })
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, number, string, number]>([
    ['an answer', 200, 'INVALID_CONFIG', 1],
    ['an error', 503, 'DEADLINE_EXCEEDED', 2],
    ['a refusal', 400, 'INVALID_CONFIG', 1],
  ])('[E3] receives only a part of %s without an end', async (_name, status, code, requests) => {
    const sent = [0, 0]
    const endless: Misbehaviour = (response) => {
      const nth = server.requests.length - 1
      response.writeHead(status, { 'content-type': 'application/json' })
      const send = () => {
        if (response.destroyed || sent[nth]! > 512 * 2 ** 20) return
        sent[nth]! += 65_536
        response.write(Buffer.alloc(65_536, ' '), () => setImmediate(send))
      }
      send()
    }
    server.next(endless, endless)
    expect((await errorOf(open({ attempts: 2 }).embed(['a'], 'query'))).code).toBe(code)
    expect(server.requests).toHaveLength(requests)
    // The limit is 1 MiB and 256 bytes; the rest is in buffers of the connection.
    for (const bytes of sent) expect(bytes).toBeLessThan(32 * 2 ** 20)
  })

  test('[E3] control: an answer of almost 1 MiB is read', async () => {
    server.next((response) => reply(response, 200, { data: [row(0)], more: 'x'.repeat(2 ** 20 - 200) }))
    expect(await open().embed(['a'], 'query')).toHaveLength(1)
  })

  test('[E3] ends an answer that begins and stalls, and repeats one that breaks off', async () => {
    const begin: Misbehaviour = (response) => void response.writeHead(200).write('{"data":')
    server.next(begin)
    expect(await errorOf(open({ timeoutMs: 300 }).embed(['a'], 'query'))).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      field: 'embedder.timeoutMs',
    })
    server.next((response) => {
      response.writeHead(200, { 'content-length': 99 }).write('{"data":')
      setTimeout(() => response.destroy(), 10)
    })
    expect(await open().embed(['a'], 'query')).toHaveLength(1)
  })

  test('[E3] a key that never comes ends at the deadline and with the caller’s abort', async () => {
    const embedder = open({ key: () => new Promise(() => undefined), timeoutMs: 50 })
    expect(await errorOf(embedder.embed(['a'], 'query'))).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    const controller = new AbortController()
    const slow = open({ key: () => new Promise(() => undefined) })
    const waiting = errorOf(slow.embed(['a'], 'query', { signal: controller.signal }))
    controller.abort()
    expect((await waiting).code).toBe('ABORTED')
    // Nor does it wait for a `fetch` that ignores its signal.
    vi.stubGlobal('fetch', () => new Promise(() => undefined))
    expect((await errorOf(open({ timeoutMs: 50 }).embed(['a'], 'query'))).code).toBe('DEADLINE_EXCEEDED')
    vi.unstubAllGlobals()
    expect(server.requests).toEqual([])
  })

  test.each<[string, HttpEmbedderOptions['body']]>([
    ['holds a BigInt', () => ({ count: 1n })],
    [
      'throws',
      () => {
        throw new Error(key)
      },
    ],
  ])('[E1] a body that %s is refused', async (_name, body) => {
    const error = await errorOf(open({ body }).embed(['a'], 'query'))
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', field: 'embedder.body' })
  })

  test('is aborted during a request and during a wait', async () => {
    for (const misbehaviour of [() => undefined, failing(429, { 'retry-after': '30' })] as Misbehaviour[]) {
      server.next(misbehaviour)
      const controller = new AbortController()
      const work = open().embed([`${server.requests.length}`], 'query', { signal: controller.signal })
      const asked = server.requests.length + 1
      await expect.poll(() => server.requests.length).toBe(asked)
      controller.abort()
      expect((await errorOf(work)).code).toBe('ABORTED')
    }
    expect((await errorOf(open().embed(['b'], 'query', { signal: AbortSignal.abort() }))).code).toBe('ABORTED')
  })

  test.each([
    ['no JSON', '<html>', 'INVALID_CONFIG'],
    ['no data', {}, 'INVALID_CONFIG'],
    ['too few', { data: [] }, 'INVALID_CONFIG'],
    ['an index twice', { data: [row(0), row(0)] }, 'INVALID_CONFIG'],
    ['no index', { data: [row(0), { embedding: [1, 2, 3, 4] }] }, 'INVALID_CONFIG'],
    ['text for numbers', { data: [row(0), row(1, 'AAAA')] }, 'INVALID_CONFIG'],
    ['what is not finite', { data: [row(0), row(1, [1, 2, null, 4])] }, 'INVALID_CONFIG'],
    ['what no float32 holds', { data: [row(0), row(1, [1, 2, 1e39, 4])] }, 'INVALID_CONFIG'],
    ['another length', { data: [row(0, [1, 2]), row(1)] }, 'DIMENSION_MISMATCH'],
  ])('refuses an answer with %s', async (_name, body, code) => {
    server.next((response) => reply(response, 200, body))
    expect((await errorOf(open().embed(['a', 'b'], 'document'))).code).toBe(code)
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['embedder.url', { url: 'v1/embeddings' }],
    ['embedder.url', { url: `https://user:${key}@example.org/` }],
    ['embedder.url', { url: `ftp://example.org/?key=${key}` }],
    ['embedder.model', { model: ' ' }],
    ['embedder.key', { key: 5 as unknown as string }],
    ['embedder.dimensions', { dimensions: 0 }],
    ['embedder.dimensions', { dimensions: 1.5 }],
    ['embedder.batchSize', { batchSize: 0 }],
    ['embedder.timeoutMs', { timeoutMs: Number.NaN }],
    ['embedder.attempts', { attempts: 0 }],
  ])('refuses a wrong %s at once', async (field, options) => {
    const error = await errorOf(Promise.resolve().then(() => open(options)))
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', field })
  })

  test.each([`${key}\n`, '', 'a b'])('refuses the key %j without quoting it', async (wrong) => {
    const error = await errorOf(open({ key: wrong }).embed(['a'], 'query'))
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', field: 'embedder.key' })
    expect(server.requests).toEqual([])
  })

  test('makes the vectors of a store', async () => {
    const recall = await openRecall({ name: 'http', embedder: open() })
    await recall.put([
      { id: 'a', body: 'acorn' },
      { id: 'b', body: 'beetle in the bark' },
    ])
    const { hits, plan } = await recall.recall('acorn')
    expect(hits[0]?.id).toBe('a')
    expect(plan.channels.vector.ran).toBe(true)
    expect((await recall.status()).vectors).toMatchObject({ dimensions, current: 2 })
    await recall.close()
  })
})

function row(index: number, embedding: unknown = [1, 2, 3, 4]) {
  return { index, embedding }
}
