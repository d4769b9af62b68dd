/** Serves the clients of `openRecall({ remote })`: calls, their answers and events over one WebSocket each. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { RecallError, recallError } from '../../core/model/errors.ts'
import { isPlainObject } from '../../core/model/plain-object.ts'
import { checkVersion, protocolVersion } from '../../protocol/handshake.ts'
import { type ClientMessage, encodeMessage, type ServerMessage } from '../../protocol/wire.ts'
import { authenticated, decoded, type Served } from './answer.ts'
import { checkCall } from './check-call.ts'
import { guarded, hostOf, pathOf } from './guards.ts'

export interface Sockets {
  /** Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Reads no further message: clients send again what is not answered, to another server. */
  drain(): void
  close(): void
}

/** ms between two looks whether the clients are alive. */
const pingMs = 30_000
/** The server ends; another one may answer. */
const serviceRestart = 1012

/** Rejects with INVALID_CONFIG without the package `ws`. */
export async function createSockets(served: Served): Promise<Sockets> {
  const { server, strangers } = served
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
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const status = refusal(served, request)
    if (status !== null) return void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    strangers.limitBytes(socket)
    all.handleUpgrade(request, socket, head, (opened) => {
      alive.add(opened)
      opened.on('pong', () => alive.add(opened))
      serve(served, opened, { raw: socket, name: `ws-${++connected}`, isDraining: () => isDraining })
    })
  }
  return {
    upgrade: guarded(open, (error, _request, socket) => {
      server.onError?.(error)
      socket.destroy()
    }),
    drain: () => void (isDraining = true),
    close() {
      clearInterval(pings)
      for (const socket of all.clients) socket.close(serviceRestart)
      all.close()
    },
  }
}

/** Why a request for a WebSocket is refused, as an HTTP status; null if it is not. */
function refusal(served: Served, request: IncomingMessage): string | null {
  const path = pathOf(request)
  if (path === null) return '400 Bad Request'
  return path.endsWith('/v1/live') && isAllowed(served, request) ? null : '403 Forbidden'
}

/** A page sends its origin; another program sends none. */
function isAllowed({ server: { origins = [] } }: Served, { headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined || origins === '*') return true
  return origins.includes(origin) || (host !== undefined && hostOf(origin) === host)
}

interface Client {
  /** The connection under the WebSocket. */
  readonly raw: Duplex
  readonly name: string
  isDraining(): boolean
}

function serve(served: Served, socket: WebSocket, { raw, name, isDraining }: Client): void {
  const { host } = served
  let tenant: string | null = null
  let isGreeted = false
  let leave: (() => void) | undefined
  let isClosed = false
  const send = (message: ServerMessage) => {
    if (socket.readyState === socket.OPEN) socket.send(encodeMessage(message))
  }
  const greet = async (version: unknown, token: unknown) => {
    checkVersion(version)
    const own = await authenticated(served, token, raw)
    const stop = await host.connect(own, (event) => {
      send({ type: 'event', event })
      // The engine ended: the client connects again, to a new one.
      if (event.type === 'closed') socket.close(serviceRestart)
    })
    if (isClosed) return stop()
    leave = stop
    tenant = own
    send({ type: 'welcome', version: protocolVersion })
  }
  const receive = async (message: ClientMessage) => {
    if (message.type === 'hello' && !isGreeted) {
      // A second hello would take a second place of the store's connections.
      isGreeted = true
      return greet(message.version, message.token)
    }
    if (tenant === null) return socket.close(1002)
    if (message.type === 'cancel') return host.cancel(tenant, `${name}:${message.id}`)
    if (message.type !== 'call') throw noMessage()
    const { id } = message.call
    const reply = await answer(tenant, message.call)
    send({ type: 'reply', id, reply })
  }
  /** Closing is the host's own business, so a client that closes only leaves. */
  const answer = async (own: string, call: Extract<ClientMessage, { readonly type: 'call' }>['call']) => {
    if (call.method === 'close') return { ok: true, value: undefined, tookMs: 0 } as const
    try {
      return await host.call(own, { ...checkCall(call), id: `${name}:${call.id}` })
    } catch (error) {
      if (error instanceof RecallError) return { ok: false, error: error.toDetails() } as const
      throw error
    }
  }
  const fail = (error: unknown) => {
    if (error instanceof RecallError) send({ type: 'refused', reply: { ok: false, error: error.toDetails() } })
    else served.server.onError?.(error)
    socket.close(1008)
  }
  const hear = (data: Buffer, isBinary: boolean) => {
    if (isDraining()) return
    if (!isBinary) return socket.close(1003)
    return receive(messageOf(data))
  }
  socket.on('message', guarded(hear, fail))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    isClosed = true
    leave?.()
  })
}

/** Throws INVALID_ARGUMENT for bytes that hold no message of a client. */
function messageOf(data: Uint8Array): ClientMessage {
  const message = decoded(data)
  if (!isPlainObject(message)) throw noMessage()
  const { type, id, call } = message
  const isCall = type === 'call' && isPlainObject(call) && typeof call['id'] === 'string'
  if (!isCall && type !== 'hello' && !(type === 'cancel' && typeof id === 'string')) throw noMessage()
  return message as unknown as ClientMessage
}

function noMessage() {
  return recallError('INVALID_ARGUMENT', 'must be a hello, a call or a cancel', {
    field: 'message',
    hint: 'Use the client of this package.',
  })
}
