/** Tests that no bytes from a peer without a token end the server, and that wrong shapes are errors of the caller. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashToken, type RecallServer, serve } from '../../../src/server/index.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { methodNames } from '../../../src/protocol/methods.ts'
import { decodeMessage } from '../../../src/protocol/wire.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { randomFrames, randomRequest, send, upgrade } from '../../support/server/raw-requests.ts'

describe.skipIf(noPostgres !== null)('raw requests', () => {
  let database: Postgres
  let server: RecallServer
  let port: number
  const errors: unknown[] = []
  beforeAll(async () => {
    database = await startPostgres()
    const tokens = { [hashToken('token')]: 'hers' }
    const onError = (error: unknown) => void errors.push(error)
    const limits = { strangers: 200, callsPerSecond: 1e6 }
    server = await serve({ postgres: database.url, tokens, store: { embedder: null }, limits, onError }, { port: 0 })
    port = Number(new URL(server.url).port)
  })
  afterAll(async () => {
    await server?.close()
    await database?.stop()
  })
  const isAlive = async () => (await fetch(`${server.url}/health`)).status === 200
  const post = async (body: unknown, token = 'token') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${server.url}/v1/call`, { method: 'POST', headers, body: text })
    return { status: answer.status, reply: (await answer.json()) as { error?: { code: string; field?: string } } }
  }

  it.each([
    ['the origin of a sandboxed frame', upgrade('/v1/live', ['Origin: null']), '403'],
    ['an origin without a scheme', upgrade('/v1/live', ['Origin: x']), '403'],
    ['an origin without a host', upgrade('/v1/live', ['Origin: http://']), '403'],
    ['a target outside of any URL', upgrade('//'), '400'],
    ['another path', upgrade('/x'), '403'],
    ['a foreign origin', upgrade('/v1/live', ['Origin: https://evil.example']), '403'],
    [
      'a plain request whose target is outside of any URL',
      'GET // HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      '400',
    ],
  ])('[N5] answers %s', async (_name, request, status) => {
    expect((await send(port, [request])).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    expect(await isAlive()).toBe(true)
  })

  it('[N5] lives on when a refused or a silent peer resets its connection', async () => {
    const requests = [
      '',
      'GET',
      upgrade('/x'),
      upgrade('/v1/live', ['Origin: null']),
      upgrade('/v1/live'),
      'POST /v1/call HTTP/1.1\r\n',
    ]
    for (let i = 0; i < 5; i++) await Promise.all(requests.map((request) => send(port, [request], 'reset')))
    expect(await isAlive()).toBe(true)
  })

  it('[N5] lives on after random requests and malformed frames', { timeout: 120_000 }, async () => {
    const random = createRandom(37)
    errors.length = 0
    const count = sized(2_400)
    const answers: string[] = []
    for (let from = 0; from < count; from += 100) {
      const some = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? randomRequest(random) : randomFrames(random)))
      answers.push(...(await Promise.all(some.map(({ parts, ending }) => send(port, parts, ending)))))
    }
    expect(await isAlive()).toBe(true)
    expect((await post({ method: 'count', request: { scope: {} } })).status).toBe(200)
    // The operator does not hear of errors of peers.
    expect(errors).toEqual([])
    // control: the requests are of many kinds.
    const statuses = new Set(answers.map((answer) => answer.slice(9, 12)))
    expect(statuses).toEqual(new Set([...statuses, '101', '200', '400', '403', '404']))
  })

  it('[N5] reads at most 64 KiB from a WebSocket without a token', async () => {
    const sent = await new Promise<number>((resolve) => {
      let bytes = 0
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(upgrade('/v1/live'))
        // The beginning of one frame of 16 MB, within the limit of a client's message.
        socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(16_384))) bytes += 16_384
        }
        socket.on('drain', more)
        more()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(bytes))
    })
    // What the operating system holds between the two comes on top.
    expect(sent).toBeLessThan(8_000_000)
    expect(await isAlive()).toBe(true)
  })

  it('[N5] does not read the body of a request with a wrong token', async () => {
    const head =
      'POST /v1/call HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n'
    const answer = await send(port, [head, Buffer.alloc(50_000)], 'wait')
    expect(answer).toContain('HTTP/1.1 401')
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it('[N5] keeps places for those with a token while strangers hold theirs', async () => {
    const strangers = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${server.url}/metrics`)).text()
        expect(Number(/scrubjay_strangers (\d+)/.exec(metrics)?.[1])).toBeLessThanOrEqual(200)
        expect(strangers.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(200)
      },
      { timeout: 30_000 },
    )
    expect((await post({ method: 'count', request: { scope: {} } })).status).toBe(200)
    for (const stranger of strangers) stranger.destroy()
  })

  it('[N5] a wrong shape is an error of the caller, and none of the operator', { timeout: 60_000 }, async () => {
    errors.length = 0
    const values = [
      'bob',
      7,
      null,
      [],
      {},
      true,
      [null],
      { a: 1 },
      'x'.repeat(300),
      -1,
      1e300,
      [{}],
      { $: 'map', is: 7 },
    ]
    const members = ['batch', 'id', 'ids', 'filter', 'scope', 'query', 'request', 'prefix', 'fields', 'limit', 'of', 'outcomes', 'states', 'a', 'b', 'expected', 'actual', 'export', 'import', 'part', 'at', 'bytes', 'mode', 'after', 'done', 'total', 'records', 'factor', 'ttlMs', 'since', 'repair', 'dryRun', 'weight', 'delta'] // biome-ignore format: one list
    const random = createRandom(38)
    const methods = methodNames().filter((name) => name !== 'destroy' && name !== 'compact')
    const bad: unknown[] = []
    for (let i = 0; i < sized(3_000); i++) {
      const some = Array.from({ length: random.below(5) }, () => [random.pick(members), random.pick<unknown>(values)])
      const request = random.below(6) === 0 ? random.pick<unknown>(values) : Object.fromEntries(some)
      const call = {
        method: random.pick([...methods, 'x']),
        request,
        ...(random.below(9) === 0 ? { now: random.pick<unknown>(values) } : {}),
      }
      const { status, reply } = await post(call)
      if (status >= 500 || (status === 400 && reply.error?.code.startsWith('INVALID') !== true)) bad.push([call, reply])
    }
    expect(bad.filter((_, i) => i < 5)).toEqual([])
    expect(errors).toEqual([])
    expect(await post({ method: 'forget', request: 'bob' })).toMatchObject({
      status: 400,
      reply: { error: { code: 'INVALID_ARGUMENT', field: 'request' } },
    })
    expect(await post({ method: 'close' })).toMatchObject({ status: 400, reply: { error: { field: 'method' } } })
    const deep = await fetch(`${server.url}/v1/call`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'scrubjay-version': String(protocolVersion) },
      body: Buffer.concat([Buffer.from([0, 128, 0, 0]), Buffer.alloc(32_768, '[')]),
    })
    expect(JSON.stringify(decodeMessage(new Uint8Array(await deep.arrayBuffer())))).toContain('200 levels deep')
    for (const body of ['null', '[]', '7', '', '\u0000', '{', '"x"', '['.repeat(100_000)])
      expect((await post(body)).status, body.slice(0, 9)).toBe(400)
  })
})
