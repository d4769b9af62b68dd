/** Serves the clients of `openRecall({ remote })`: calls, their answers and events over one WebSocket each. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { RecallError, recallError } from '../../core/model/errors.ts'
import { checkVersion, protocolVersion } from '../../protocol/handshake.ts'
import { type ClientMessage, encodeMessage, type ServerMessage } from '../../protocol/wire.ts'
import { authenticated, decoded, type Served } from './answer.ts'

export interface Sockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Reads no further message: clients send again what is not answered, to another server. */
  drain(): void
  close(): void
}

/** ms in which a client must say who it is. */
const helloMs = 10_000
/** ms between two looks whether the clients are alive. */
const pingMs = 30_000
/** The server ends; another one may answer. */
const serviceRestart = 1012

/** Rejects with INVALID_CONFIG without the package `ws`. */
export async function createSockets(served: Served): Promise<Sockets> {
  const { server } = served
  const { WebSocketServer } = await import('ws').catch(() => {
    throw recallError('INVALID_CONFIG', 'must have the package ws, which is not installed', {
      field: 'server',
      hint: 'Install it: npm install pg ws',
    })
  })
  const all = new WebSocketServer({
    noServer: true,
    maxPayload: server.limits.requestBytes,
    handleProtocols: (protocols) => (protocols.has('scrubjay') ? 'scrubjay' : false),
  })
  const alive = new WeakSet<WebSocket>()
  const pings = setInterval(() => {
    for (const socket of all.clients) {
      if (!alive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, pingMs)
  pings.unref()
  let connected = 0
  let isDraining = false
  return {
    upgrade(request, socket, head) {
      const isLive = new URL(request.url ?? '/', 'http://host').pathname.endsWith('/v1/live')
      if (!isLive || !isAllowed(served, request)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      all.handleUpgrade(request, socket, head, (opened) => {
        alive.add(opened)
        opened.on('pong', () => alive.add(opened))
        serve(served, opened, `ws-${++connected}`, () => isDraining)
      })
    },
    drain: () => void (isDraining = true),
    close() {
      clearInterval(pings)
      for (const socket of all.clients) socket.close(serviceRestart)
      all.close()
    },
  }
}

/** A page sends its origin; another program sends none. */
function isAllowed({ server: { origins = [] } }: Served, { headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined || origins === '*') return true
  return origins.includes(origin) || (host !== undefined && new URL(origin).host === host)
}

function serve(served: Served, socket: WebSocket, name: string, isDraining: () => boolean): void {
  const { host } = served
  let tenant: string | null = null
  let leave: (() => void) | undefined
  let isClosed = false
  const send = (message: ServerMessage) => {
    if (socket.readyState === socket.OPEN) socket.send(encodeMessage(message))
  }
  const late = setTimeout(() => socket.terminate(), helloMs)
  const greet = async (version: unknown, token: unknown) => {
    checkVersion(version)
    const own = await authenticated(served, token)
    const stop = await host.connect(own, (event) => {
      send({ type: 'event', event })
      // The engine ended: the client connects again, to a new one.
      if (event.type === 'closed') socket.close(serviceRestart)
    })
    if (isClosed) return stop()
    leave = stop
    tenant = own
    clearTimeout(late)
    send({ type: 'welcome', version: protocolVersion })
  }
  const receive = async (message: ClientMessage) => {
    if (message.type === 'hello' && tenant === null) return greet(message.version, message.token)
    if (tenant === null) return socket.close(1002)
    if (message.type === 'cancel') return host.cancel(tenant, `${name}:${message.id}`)
    const { call } = message as Extract<ClientMessage, { readonly type: 'call' }>
    const reply = await host.call(tenant, { ...call, id: `${name}:${call.id}` })
    send({ type: 'reply', id: call.id, reply })
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isDraining()) return
    let message: ClientMessage
    try {
      if (!isBinary) throw new TypeError('text')
      message = decoded(data) as ClientMessage
    } catch {
      return socket.close(1003)
    }
    receive(message).catch((error: unknown) => {
      if (error instanceof RecallError) send({ type: 'refused', reply: { ok: false, error: error.toDetails() } })
      else served.server.onError?.(error)
      socket.close(1008)
    })
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    clearTimeout(late)
    leave?.()
  })
}
