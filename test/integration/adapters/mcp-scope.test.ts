/** Tests an MCP server in this process: its scope holds for prompts and resources, hosts know what a tool changes, and calls end with their client. */
import { PassThrough, Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterEach, expect, test, vi } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'
import { createMcpServer, type McpOptions, type McpStore, type McpTransport, serveMcp } from '../../../src/mcp/index.ts'
import { limitLines } from '../../../src/mcp/limit-lines.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openStore(): Promise<Recall> {
  const store = await openRecall({ name: `mcp ${Math.random()}`, storage: 'memory', embedder: null })
  closing.push(() => store.close())
  await store.put([
    { id: 'ours', body: 'the jay hides acorns in the garden', project: 'site' },
    { id: 'theirs', body: 'the jay hides acorns in the forest', project: 'other' },
  ])
  return store
}

async function connect(store: McpStore, options: McpOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(store, options).connect(far as unknown as McpTransport)
  await client.connect(near)
  closing.unshift(() => client.close())
  return client
}

const promptOf = async (client: Client, name: 'context' | 'answer', text: string, more: object = {}) => {
  const { messages } = await client.getPrompt({
    name,
    arguments: { [name === 'context' ? 'task' : 'question']: text, ...more },
  })
  return (messages[0]!.content as { text: string }).text
}

test.each([[{ project: 'site' }], [{ ids: ['ours'] }]])(
  'the scope %j holds for prompts and resources',
  async (scope) => {
    const client = await connect(await openStore(), { scope })
    for (const name of ['context', 'answer'] as const) {
      const text = await promptOf(client, name, 'jay acorns')
      expect(text).toContain('in the garden')
      expect(text).not.toContain('in the forest')
    }
    expect(JSON.stringify(await client.readResource({ uri: 'scrubjay://record/ours' }))).toContain('in the garden')
    await expect(client.readResource({ uri: 'scrubjay://record/theirs' })).rejects.toMatchObject({ code: -32_602 })
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['scrubjay://record/ours'])
  },
)

test('control: without a scope, both records are in the prompt', async () => {
  expect(await promptOf(await connect(await openStore()), 'context', 'jay acorns')).toMatch(
    /forest[^]*garden|garden[^]*forest/,
  )
})

test('hosts know which tools only read, and which one removes', async () => {
  const { tools } = await (await connect(await openStore())).listTools()
  const hints = tools.map(({ name, annotations }) => [
    name,
    annotations?.readOnlyHint,
    annotations?.destructiveHint,
    annotations?.idempotentHint,
    annotations?.openWorldHint,
  ])
  expect(hints).toEqual([
    ['remember', false, false, true, false],
    ['recall', true, false, true, false],
    ['about', true, false, true, false],
    ['why', true, false, true, false],
    ['forget', false, true, true, false],
    ['assemble', true, false, true, false],
  ])
})

test('a prompt about something that is not stored says so, instead of showing noise', async () => {
  const client = await connect(await openStore())
  expect(await promptOf(client, 'context', 'garden revenue of seven quarterly zinc mines')).toMatch(
    /^Nothing that is stored/,
  )
})

test('the budget of a prompt is from 50 to 20,000 tokens', async () => {
  const client = await connect(await openStore())
  for (const maxTokens of ['49', '20001', '1e9', 'x', '100.5'])
    await expect(promptOf(client, 'context', 'jay', { maxTokens })).rejects.toMatchObject({
      code: -32_602,
      data: { field: 'maxTokens' },
    })
  for (const maxTokens of ['50', '20000', ' '])
    expect(await promptOf(client, 'context', 'jay', { maxTokens })).toContain('Task: jay')
})

test('a call that its client cancels is aborted in the store', async () => {
  const store = await openStore()
  let signal: AbortSignal | undefined
  const slow: McpStore = {
    ...store,
    recall: (_query, options) => {
      signal = options?.signal ?? undefined
      return new Promise(() => undefined)
    },
  }
  const client = await connect(slow)
  const controller = new AbortController()
  const call = client.callTool({ name: 'recall', arguments: { query: 'jay' } }, { signal: controller.signal })
  call.catch(() => undefined)
  await vi.waitFor(() => expect(signal).toBeDefined(), { timeout: 30_000 })
  expect(signal!.aborted).toBe(false)
  controller.abort()
  await vi.waitFor(() => expect(signal!.aborted).toBe(true), { timeout: 30_000 })
})

test('a client that is gone when its answer comes ends the connection, not the process', async () => {
  const store = await openStore()
  const input = new PassThrough()
  const output = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const served = serveMcp(store, { input, output })
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  await served.closed
  await expect(served.close()).resolves.toBeUndefined()
  expect(await store.count()).toBe(2)
})

test('a message without an end is refused with a word, and the connection goes on', async () => {
  const refused = vi.fn()
  const lines: string[] = []
  const limited = limitLines(refused, 100)
  createInterface({ input: limited }).on('line', (line) => lines.push(line))
  for (const chunk of [
    '{"a":1}\n',
    'x'.repeat(60),
    'y'.repeat(60),
    'z'.repeat(500),
    '\n{"b":2}\n',
    `${'w'.repeat(99)}\n{"c"`,
    ':3}\n',
  ])
    limited.write(chunk)
  limited.end()
  await vi.waitFor(() => expect(lines.at(-1)).toBe('{"c":3}'), { timeout: 30_000 })
  expect(lines.filter((line) => line.startsWith('{'))).toEqual(['{"a":1}', '{"b":2}', '{"c":3}'])
  expect(lines).toContain('w'.repeat(99))
  expect(refused).toHaveBeenCalledTimes(1)
})

test('[E3] a client that reads no answers is asked for no more, and the connection still ends', async () => {
  const store = await openStore()
  let calls = 0
  const body = 'jay '.repeat(5_000)
  const counted: McpStore = {
    ...store,
    list: async (...args) => {
      calls += 1
      return store.list(...args)
    },
  }
  await store.put({ id: 'long', body })
  const input = new PassThrough()
  let isReading = false
  const waiting: (() => void)[] = []
  let read = 0
  const output = new Writable({
    highWaterMark: 16_384,
    write(chunk: Buffer, _encoding, done) {
      read += chunk.length
      if (isReading) done()
      else waiting.push(done)
    },
  })
  const served = serveMcp(counted, { input, output })
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({ id: 0, method: 'initialize', params: initialize })
  send({ method: 'notifications/initialized' })
  const requests = 2_000
  for (let id = 1; id <= requests; id++)
    send({ id, method: 'resources/read', params: { uri: 'scrubjay://record/long' } })
  // Until nothing changes any more.
  for (let before = -1; before !== calls; ) {
    before = calls
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  expect(calls).toBeGreaterThan(1)
  expect(calls).toBeLessThan(requests / 2)
  expect(output.writableLength).toBeLessThan(16 * 2 ** 20)
  // control: once it reads, everything is answered.
  isReading = true
  for (const done of waiting.splice(0)) done()
  await vi.waitFor(() => expect(calls).toBe(requests), { timeout: 30_000, interval: 100 })
  await vi.waitFor(() => expect(read).toBeGreaterThan(requests * body.length), { timeout: 30_000, interval: 100 })
  await served.close()
})

test('[E3] a connection whose client reads nothing and whose store hangs can be closed', async () => {
  const store = await openStore()
  const input = new PassThrough()
  const output = new Writable({ highWaterMark: 1, write: () => undefined })
  const served = serveMcp({ ...store, list: () => new Promise(() => undefined) }, { input, output })
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list' })}\n`)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await served.close()
  await served.closed
})

test('[E3] control: requests that are refused, repeated or cancelled make no room scarce', async () => {
  const store = await openStore()
  const input = new PassThrough()
  const output = new PassThrough()
  const answered: unknown[] = []
  createInterface({ input: output }).on('line', (line) => answered.push((JSON.parse(line) as { id: unknown }).id))
  const hanging: McpStore = { ...store, recall: () => new Promise(() => undefined) }
  const served = serveMcp(hanging, { input, output })
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  // Before the handshake.
  for (let id = 0; id < 300; id++) send({ id: `early ${id}`, method: 'tools/list' })
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  send({ id: 'start', method: 'initialize', params: initialize })
  send({ method: 'notifications/initialized' })
  for (let id = 0; id < 300; id++) {
    send({ id: `unknown ${id}`, method: 'no/such' })
    send({ id: `wrong ${id}`, method: 'tools/call', params: { name: 7 } })
    send({ id: 'same', method: 'ping' })
    send({ id: `again ${id}`, method: 'initialize', params: initialize })
    send({ id: `hangs ${id}`, method: 'tools/call', params: { name: 'recall', arguments: { query: 'jay' } } })
    send({ method: 'notifications/cancelled', params: { requestId: `hangs ${id}` } })
    send({ id: `odd ${id}`, result: {} })
  }
  send({ id: 'last', method: 'ping' })
  await vi.waitFor(() => expect(answered).toContain('last'), { timeout: 20_000 })
  await served.close()
})
