/** Tests what an MCP server makes of a store: names of resources, pages, the deadline of calls whose client has left. The store is a stand-in. */
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect, test, vi } from 'vitest'
import { createMcpServer, type McpOptions, type McpStore, type McpTransport, serveMcp } from '../../../src/mcp/index.ts'

async function connect(store: object, options: McpOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(store as McpStore, options).connect(far as unknown as McpTransport)
  await client.connect(near)
  return client
}

test('a resource is named by its title, or by the first 60 characters of its text, and described by 200', async () => {
  const long = '🐦'.repeat(300)
  const items = [
    { id: 'a b/ü', title: 'A title', body: 'a\n  body' },
    { id: 'exact', body: 'x'.repeat(60) },
    { id: 'long', summary: 'y'.repeat(61), body: 'z' },
    { id: 'birds', body: long },
    { id: 'ins', instruction: 'Do it' },
    { id: 'com', command: 'npm test' },
    { id: 'title only', title: 'T' },
    { id: 'nothing', body: ' ' },
  ]
  const client = await connect({ list: async () => ({ items, nextCursor: null }) })
  const { resources, nextCursor } = await client.listResources()
  expect(nextCursor).toBeUndefined()
  expect(
    resources.map(({ uri, name, description }) => [uri.slice('scrubjay://record/'.length), name, description]),
  ).toEqual([
    ['a%20b%2F%C3%BC', 'A title', 'a body'],
    ['exact', 'x'.repeat(60), 'x'.repeat(60)],
    ['long', `${'y'.repeat(59)}…`, 'y'.repeat(61)],
    ['birds', `${'🐦'.repeat(59)}…`, `${'🐦'.repeat(199)}…`],
    ['ins', 'Do it', 'Do it'],
    ['com', 'npm test', 'npm test'],
    ['title%20only', 'T', undefined],
    ['nothing', 'nothing', undefined],
  ])
  await client.close()
})

test('a page of resources has at most 100, of the scope, and the next one continues it', async () => {
  const asked: object[] = []
  const list = async (filter: object) => {
    asked.push(filter)
    return { items: [], nextCursor: asked.length === 1 ? 'more' : null }
  }
  const client = await connect({ list }, { scope: { project: 'site' } })
  // The client reads all pages.
  await client.listResources()
  if (asked.length === 1) await client.listResources({ cursor: 'more' })
  expect(asked).toEqual([
    { project: 'site', limit: 100, cursor: null },
    { project: 'site', limit: 100, cursor: 'more' },
  ])
  await client.close()
})

test('calls that run when the client leaves are aborted, and only then the connection is closed', async () => {
  const signals: AbortSignal[] = []
  const recall = (_query: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  }
  const input = new PassThrough()
  const served = serveMcp({ recall } as unknown as McpStore, { input, output: new PassThrough() })
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  say({ method: 'notifications/initialized' })
  say({ id: 2, method: 'tools/call', params: { name: 'recall', arguments: { query: 'jay' } } })
  await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 30_000 })
  expect(signals[0]!.aborted).toBe(false)
  input.end()
  await served.closed
  expect(signals[0]!.aborted).toBe(true)
})
