/** Tests the limits of a store on a node, at their exact values: records, bytes, calls and connections. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocketOfWs from 'ws'
import { openRecall } from '../../../src/index.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { decodeMessage, encodeMessage, type ServerMessage } from '../../../src/protocol/wire.ts'
import { hashToken, type RecallServer, type ServerOptions, serve } from '../../../src/server/index.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'

const now = () => Date.UTC(2026, 0, 1)
const tokens = Object.fromEntries(['third', 'few', 'two'].map((name) => [hashToken(name), name]))

describe.skipIf(noPostgres !== null)('a server', () => {
  let database: Postgres
  const running: RecallServer[] = []
  const start = async (options: Partial<ServerOptions>) => {
    const server = await serve({ postgres: database.url, tokens, store: { embedder: null }, ...options }, { port: 0 })
    running.push(server)
    return server
  }
  const open = (server: RecallServer, token: string) => openRecall({ remote: server.url, token, now })
  const noConnections = (server: RecallServer) =>
    vi.waitFor(
      async () => expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('scrubjay_connections 0'),
      { timeout: 30_000 },
    )
  beforeAll(async () => {
    database = await startPostgres()
  })
  afterAll(async () => {
    for (const server of running) await server.close()
    await database?.stop()
  })

  it('limits bytes and calls with typed errors', async () => {
    const server = await start({ limits: { requestBytes: 100_000, callsPerSecond: 10 } })
    const store = await open(server, 'third')
    const calls = await Promise.allSettled(Array.from({ length: 40 }, () => store.count()))
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code as string] : []))
    expect(refused.length).toBeGreaterThan(5)
    expect(new Set(refused)).toEqual(new Set(['STORE_BUSY']))
    const headers = { 'content-type': 'application/json', authorization: 'Bearer third' }
    const large = async (bytes: number) => {
      const call = JSON.stringify({ method: 'count', request: { scope: {} }, pad: '' })
      const body = `${call.slice(0, -2)}${'x'.repeat(bytes - call.length)}"}`
      const answer = await fetch(`${server.url}/v1/call`, { method: 'POST', headers, body })
      return { status: answer.status, reply: await answer.json() }
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await large(100_000)).toMatchObject({ status: 200, reply: { ok: true } })
    expect(await large(100_001)).toMatchObject({
      status: 400,
      reply: { error: { code: 'INVALID_ARGUMENT', field: 'request' } },
    })
    await store.close()
  })

  it('takes exactly the limit of records, refuses one more, and takes replacements at the limit', async () => {
    const server = await start({ limits: { records: 3 } })
    const store = await open(server, 'few')
    const record = (id: string) => ({ id, body: `record ${id}` })
    await store.put(['a', 'b', 'c'].map(record))
    await expect(store.put(record('d'))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await expect(store.put([record('a'), record('d')])).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect((await store.put([{ id: 'a', body: 'another text' }])).records[0]).toMatchObject({ outcome: 'updated' })
    expect(await store.count()).toBe(3)
    await store.close()
  })

  it('counts the connections of a store, and a connection that ends leaves its place', async () => {
    const server = await start({ limits: { connections: 2 } })
    for (let i = 0; i < 3; i++) {
      const [first, second] = [await open(server, 'two'), await open(server, 'two')]
      await expect(open(server, 'two')).rejects.toMatchObject({ code: 'STORE_BUSY' })
      await Promise.all([first.close(), second.close()])
      await noConnections(server)
    }
    // A second hello on one connection takes no second place.
    const socket = new WebSocketOfWs(`${server.url.replace('http', 'ws')}/v1/live`, 'scrubjay')
    await new Promise((resolve) => socket.once('open', resolve))
    for (let i = 0; i < 2; i++) socket.send(encodeMessage({ type: 'hello', version: protocolVersion, token: 'two' }))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    expect(await closed).toBe(1002)
    await noConnections(server)
  })

  it('does not close the store for a client that calls close: its other clients go on', async () => {
    const server = await start({})
    const other = await open(server, 'two')
    const socket = new WebSocketOfWs(`${server.url.replace('http', 'ws')}/v1/live`, 'scrubjay')
    await new Promise((resolve) => socket.once('open', resolve))
    const replies: ServerMessage[] = []
    socket.on('message', (data: Buffer) => replies.push(decodeMessage(data) as ServerMessage))
    const received = (count: number) =>
      vi.waitFor(() => expect(replies).toHaveLength(count), { timeout: 30_000, interval: 20 })
    socket.send(encodeMessage({ type: 'hello', version: protocolVersion, token: 'two' }))
    await received(1)
    const call = { request: { scope: {} }, context: { now: now() }, deadlineMs: 10_000 }
    for (const [id, method] of ['close', 'count'].entries())
      socket.send(encodeMessage({ type: 'call', call: { ...call, id: String(id), method } }))
    await received(3)
    expect(replies).toMatchObject([
      { type: 'welcome' },
      { type: 'reply', id: '0', reply: { ok: true } },
      { type: 'reply', id: '1', reply: { ok: true, value: 0 } },
    ])
    expect(await other.count()).toBe(0)
    socket.close()
    await other.close()
  })
})
