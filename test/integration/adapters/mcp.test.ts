/**
 * Tests the built program `scrubjay mcp` with the client of the official SDK over stdio: tools, resources, prompts, wrong input, several
 * clients of one store, and how it ends. Processes run without the embedder, which would load its table each.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../../src/index.ts'
import { createMcpServer, type McpTransport, serveMcp } from '../../../src/mcp/index.ts'
import { toolNames } from '../../../src/tools/index.ts'
import { root, run } from '../../support/install-package.ts'

const program = join(root, 'dist/src/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'scrubjay-mcp-'))
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const argumentsOf = (store: string, ...more: readonly string[]) => [
  program,
  'mcp',
  '--store',
  join(folder, store),
  '--embedder',
  'none',
  '--quiet',
  ...more,
]

async function connect(store: string, mode: 'legacy' | 'auto' = 'legacy', ...more: readonly string[]) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({ command: process.execPath, args: argumentsOf(store, ...more) })
  closing.push(() => client.close())
  await client.connect(transport)
  return { client, call: calling(client), pid: transport.pid! }
}

/** A call of a tool: its answer as JSON, and whether it is marked as an error. */
function calling(client: Client) {
  return async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [part] = content as readonly { readonly type: string; readonly text: string }[]
    expect(part?.type).toBe('text')
    return { answer: JSON.parse(part!.text), isError }
  }
}

describe.each(['legacy', 'auto'] as const)('a client that opens with %s negotiation', (mode) => {
  test('remembers, recalls, asks why, assembles and forgets', async () => {
    const { client, call } = await connect(`tools-${mode}.sqlite`, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28')
    expect(client.getInstructions()).toContain('recall')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
    for (const { description, inputSchema, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(40)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations?.destructiveHint).toBe(description?.startsWith('Removes'))
    }

    const text = 'The deploy key rotates on Mondays'
    const { id } = (await call('remember', { text, title: 'Deploy key', tags: ['ops'] })).answer
    const query = 'when does the deploy key rotate'
    expect((await call('recall', { query })).answer).toMatchObject({ evidence: 'strong', records: [{ id, text }] })
    expect((await call('why', { query, id })).answer).toMatchObject({ selected: true, place: 1 })
    const assembled = (await call('assemble', { task: 'rotate the deploy key', maxTokens: 200 })).answer
    expect(assembled).toMatchObject({ ids: [id], text: expect.stringContaining(text) })
    expect(assembled.tokens).toBeLessThanOrEqual(200)

    const uri = `scrubjay://record/${id}`
    expect((await client.listResources()).resources).toMatchObject([{ uri, name: 'Deploy key' }])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'scrubjay://record/{id}' },
    ])
    const { contents } = await client.readResource({ uri })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, body: text, tags: ['ops'] })

    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['context', 'answer'])
    const { messages } = await client.getPrompt({ name: 'answer', arguments: { question: query } })
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining(text) } }])

    expect((await call('forget', { ids: [id] })).answer).toEqual({ forgotten: [id], missing: [] })
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    const nothing = await client.getPrompt({ name: 'context', arguments: { task: 'rotate the deploy key' } })
    expect(nothing.messages).toMatchObject([{ content: { text: expect.stringContaining('Nothing that is stored') } }])
  })
})

describe('wrong input', () => {
  test('is an error of the tool with its hint, or an error of the protocol', async () => {
    const { client, call } = await connect('wrong.sqlite', 'legacy', '--tools', 'recall,remember')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'remember'])
    for (const [args, field] of [
      [{}, 'query'],
      [{ query: 'x', limit: 0 }, 'limit'],
      [{ query: 'x', wrong: 1 }, 'wrong'],
      [{ query: 5 }, 'query'],
    ] as const) {
      const { answer, isError } = await call('recall', args)
      expect(isError).toBe(true)
      expect(answer).toMatchObject({ error: { code: 'INVALID_ARGUMENT', field, hint: expect.stringMatching(/\w/) } })
    }
    for (const name of ['forget', 'toString', ''])
      await expect(call(name, { ids: ['a'] }), name).rejects.toMatchObject({ code: -32602 })
    for (const uri of [
      'file:///etc/passwd',
      'scrubjay://record/',
      'scrubjay://record/%E0%A4%A',
      'scrubjay://record/none',
    ])
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602, data: { uri } })
    await expect(client.listResources({ cursor: 'wrong' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Hint: '),
    })
    const wrong: readonly { name: string; arguments?: Record<string, string> }[] = [
      { name: 'other' },
      { name: 'answer' },
      { name: 'context', arguments: { task: ' ' } },
      { name: 'context', arguments: { task: 'x', maxTokens: '1' } },
    ]
    for (const request of wrong)
      await expect(client.getPrompt(request), JSON.stringify(request)).rejects.toMatchObject({ code: -32602 })
    // The server still works.
    expect((await call('remember', { text: 'still here' })).isError).toBe(false)
  })
})

describe('several processes', () => {
  test('[P1] [T2] two clients and the command line share one store; SIGKILL of the owner loses nothing, and the other goes on', async () => {
    const store = 'shared.sqlite'
    const first = await connect(store)
    const second = await connect(store)
    const ids = new Set<string>()
    const remember = async ({ call }: typeof first, from: number, count: number) => {
      for (let i = from; i < from + count; i++) {
        const { answer, isError } = await call('remember', { text: `Fact ${i} about the jay of process ${from}` })
        expect({ isError, error: answer.error, outcome: answer.outcome, durability: answer.durability }).toEqual({
          isError: false,
          outcome: 'inserted',
          durability: 'committed',
        })
        ids.add(answer.id)
        const found = await call('recall', { query: `fact ${i} jay process ${from}`, limit: 3 })
        expect(found.answer.records.map(({ id }: { id: string }) => id)).toContain(answer.id)
      }
    }
    const commandLine = (...args: readonly string[]) =>
      run(process.execPath, [program, ...args, '--store', join(folder, store), '--embedder', 'none', '--json'], root)
    const [, , put] = await Promise.all([
      remember(first, 0, 6),
      remember(second, 100, 6),
      commandLine('put', 'Fact of the command line'),
    ])
    ids.add(JSON.parse(put).ids[0])
    expect(JSON.parse(await commandLine('status'))).toMatchObject({ records: 13, role: 'follower' })

    // `first` was there before the others, so it owns the file.
    process.kill(first.pid, 'SIGKILL')
    await remember(second, 200, 3)
    const page = JSON.parse(await commandLine('list', '--limit', '100'))
    expect(page.items.map(({ id }: { id: string }) => id).toSorted()).toEqual([...ids].toSorted())
  })
})

describe('the program', () => {
  let child: ChildProcess
  const lines: string[] = []

  beforeAll(() => {
    child = spawn(process.execPath, argumentsOf('raw.sqlite'), { stdio: ['pipe', 'pipe', 'pipe'] })
    createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  })

  test('writes nothing but the protocol to stdout, also for messages that are not of the protocol', async () => {
    const send = (text: string) => child.stdin!.write(`${text}\n`)
    const request = (id: number, method: string, params: object = {}) =>
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    request(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    })
    send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    send('not JSON')
    send('{"jsonrpc":"2.0","id":9}')
    request(2, 'tools/call', { name: 'remember', arguments: { text: 'a raw fact\nof two lines' } })
    request(3, 'no/such/method')
    const answers = await new Promise<ReadonlyMap<number, Record<string, unknown>>>((resolve) => {
      const check = () => {
        const byId = new Map(lines.map((line) => JSON.parse(line)).map((message) => [message.id, message]))
        if (byId.has(2) && byId.has(3)) resolve(byId)
        else child.stdout!.once('data', () => setImmediate(check))
      }
      check()
    })
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(answers.get(1)).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    expect(answers.get(3)).toMatchObject({ error: { code: -32601 } })
  })

  // Windows ends a process without a signal that it could handle.
  const ends = ['the client closes stdin', ...(process.platform === 'win32' ? [] : ['SIGTERM'])]
  test.each(ends)('closes the store and exits with 0 when %s', async (how) => {
    if (child.exitCode !== null) {
      child = spawn(process.execPath, argumentsOf('raw.sqlite'), { stdio: ['pipe', 'pipe', 'pipe'] })
      // It answers only after it has opened the store.
      child.stdin!.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
      await once(child.stdout!, 'data')
    }
    const ended = once(child, 'exit')
    if (how === 'SIGTERM') child.kill('SIGTERM')
    else child.stdin!.end()
    expect(await ended).toEqual([0, null])
    expect(readdirSync(folder).filter((name) => name.startsWith('raw'))).toEqual(['raw.sqlite'])
  })

  test('says on stderr why it cannot start, and exits with 2', async () => {
    const wrong = spawn(process.execPath, [program, 'mcp', '--store', join(folder, 'no/folder.sqlite')], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let errors = ''
    let output = ''
    wrong.stderr!.on('data', (text) => (errors += text))
    wrong.stdout!.on('data', (text) => (output += text))
    expect(await once(wrong, 'close')).toEqual([2, null])
    expect(output).toBe('')
    expect(errors).toMatch(/INVALID_CONFIG[^]*Hint: /)
  })
})

test('a server over a transport of the app stays within the scope that the app sets', async () => {
  const store = await openRecall({ name: 'mcp', embedder: null })
  closing.push(() => store.close())
  await store.put([
    { id: 'ours', body: 'The jay hides acorns', project: 'site' },
    { id: 'theirs', body: 'The jay hides acorns elsewhere', project: 'docs' },
  ])
  const server = createMcpServer(store, { scope: { project: 'site' }, record: { project: 'site' } })
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far as unknown as McpTransport)
  await client.connect(near)
  closing.unshift(() => client.close())
  const call = calling(client)
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['scrubjay://record/ours'])
  await expect(client.readResource({ uri: 'scrubjay://record/theirs' })).rejects.toMatchObject({ code: -32602 })
  expect((await call('recall', { query: 'jay acorns' })).answer.records).toHaveLength(1)
  expect((await call('assemble', { task: 'jay acorns' })).answer.ids).toEqual(['ours'])
  expect((await call('forget', { ids: ['theirs'] })).answer).toEqual({ forgotten: [], missing: ['theirs'] })
  const { id } = (await call('remember', { text: 'Oaks grow slowly' })).answer
  expect(await store.get(id)).toMatchObject({ project: 'site', source: 'llm_response' })
})

test('a request that claims another version than its connection speaks is refused, and the connection goes on', async () => {
  const store = await openRecall({ name: 'versions', embedder: null })
  closing.push(() => store.close())
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveMcp(store, { input, output })
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const ask = async (id: number, version: string, method = 'tools/list') => {
    const meta = { protocolVersion: version, clientInfo: { name: 'raw', version: '1' }, clientCapabilities: {} }
    const entries = Object.entries(meta).map(([key, value]) => [`io.modelcontextprotocol/${key}`, value])
    const params = { _meta: Object.fromEntries(entries) }
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return JSON.parse((await lines.next()).value)
  }
  const refused = { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } }
  expect(await ask(1, '2099-01-01')).toMatchObject({ id: 1, error: refused })
  expect(await ask(2, '2026-07-28')).toMatchObject({ id: 2, result: { tools: expect.any(Array) } })
  expect(await ask(3, '2099-01-01', 'server/discover')).toMatchObject({ id: 3, error: refused })
  expect(await ask(4, '2099-01-01')).toMatchObject({ id: 4, error: refused })
  expect(await ask(5, '2026-07-28')).toMatchObject({ id: 5, result: { tools: expect.any(Array) } })
  input.end()
  await served.closed
})
