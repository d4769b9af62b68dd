/**
 * Serves a server that speaks stdio over HTTP, because the conformance suite reaches servers by a URL only. Messages pass unchanged but for
 * their ids. A client that sends `initialize` gets a process of its own, as over stdio; requests of 2026-07-28 share one process.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** The first request of a connection over stdio settles which protocol it speaks. */
const opening = {
  jsonrpc: '2.0',
  id: 0,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bridge', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

/**
 * @param {readonly [string, ...string[]]} command that starts the server
 * @param {string} cwd
 */
export async function openBridge(command, cwd) {
  const sessions = new Map()
  const shared = startServer(command, cwd)
  await shared.ask(opening, () => undefined)

  async function answer(request, response) {
    const { method, headers } = request
    const given = headers['mcp-session-id']
    if (method === 'DELETE' && sessions.has(given)) {
      sessions.get(given).end()
      sessions.delete(given)
      return response.writeHead(200).end()
    }
    if (method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(await textOf(request))
    const isNew = message.method === 'initialize' && headers['mcp-protocol-version'] !== '2026-07-28'
    const id = isNew ? randomUUID() : given
    if (isNew) sessions.set(id, startServer(command, cwd))
    const server = id === undefined ? shared : sessions.get(id)
    if (server === undefined) return response.writeHead(404).end()
    if (message.id === undefined) {
      server.tell(message)
      return response.writeHead(202).end()
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    })
    const send = (part) => response.write(`data: ${JSON.stringify(part)}\n\n`)
    response.once('close', () => server.cancel(message))
    send(await server.ask(message, send))
    return response.end()
  }

  const site = createServer((request, response) => void answer(request, response))
  await new Promise((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${site.address().port}/mcp`,
    async close() {
      for (const server of [shared, ...sessions.values()]) server.end()
      site.closeAllConnections()
      await new Promise((resolve) => {
        site.close(resolve)
      })
    },
  }
}

const subscription = 'io.modelcontextprotocol/subscriptionId'

/** One process. Its requests are numbered anew, because its clients number theirs alike. */
function startServer([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let lastId = 0
  const tell = (message) => void child.stdin.write(`${JSON.stringify(message)}\n`)
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line)
    const meta = message.params?._meta
    const isAnswer = message.method === undefined
    const call = waiting.get(isAnswer ? message.id : Number(meta?.[subscription]))
    if (call === undefined) return
    const { id } = call.message
    if (isAnswer) {
      call.resolve({ ...message, id })
      waiting.delete(message.id)
    } else call.notify({ ...message, params: { ...message.params, _meta: { ...meta, [subscription]: String(id) } } })
  })
  return {
    tell,
    ask: (message, notify) =>
      new Promise((resolve) => {
        const id = ++lastId
        waiting.set(id, { message, notify, resolve })
        tell({ ...message, id })
      }),
    cancel(message) {
      for (const [requestId, call] of waiting)
        if (call.message === message) tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    },
    end: () => void child.stdin.end(),
  }
}

async function textOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
