/** Answers requests over HTTP: one call a request, health, readiness and figures. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { RecallError, recallError } from '../../core/model/errors.ts'
import { isPlainObject } from '../../core/model/plain-object.ts'
import type { Reply } from '../../protocol/envelope.ts'
import { checkVersion } from '../../protocol/handshake.ts'
import { type PackedResult, unpackResult } from '../../protocol/packed-result.ts'
import { decodeMessage, encodeMessage, jsonOf } from '../../protocol/wire.ts'
import type { Host } from '../host/host.ts'
import { tooLarge } from '../host/limits.ts'
import type { Metrics } from '../host/metrics.ts'
import type { Authenticate } from '../host/tokens.ts'
import type { ResolvedServer } from '../common/options.ts'
import { checkCall } from './check-call.ts'
import { checkSize } from './check-size.ts'
import { pathOf } from './guards.ts'
import type { Strangers } from './strangers.ts'

export interface Served {
  readonly server: ResolvedServer
  readonly host: Host
  readonly metrics: Metrics
  readonly authenticate: Authenticate
  readonly strangers: Strangers
  /** Rejects while the database is out of reach or the server ends. */
  ready(): Promise<void>
}

const binary = 'application/octet-stream'
const json = 'application/json'
/** ms after which a caller of the JSON interface no longer waits. */
const jsonDeadlineMs = 60_000

export async function answerHttp(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(request)
  if (path === null) return end(response, 400, 'bad request\n')
  allowOrigin(served, request, response)
  if (request.method === 'OPTIONS') return end(response, 204, '')
  if (request.method === 'GET') return answerGet(served, path, response)
  if (path !== '/v1/call' || request.method !== 'POST') return end(response, 404, 'not found\n')
  const isJson = (request.headers['content-type'] ?? '').startsWith(json)
  const reply = await callOf(served, request, isJson).catch((error: unknown): Reply<never> => {
    if (!(error instanceof RecallError)) throw error
    // The rest of a refused request is not read.
    if (!request.complete) response.setHeader('connection', 'close')
    return { ok: false, error: error.toDetails() }
  })
  if (!isJson) return end(response, 200, encodeMessage(reply), binary)
  end(response, reply.ok ? 200 : statusOf(reply), JSON.stringify(reply), json)
}

async function answerGet(
  { host, metrics, strangers, ready }: Served,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === '/health') return end(response, 200, 'ok\n')
  if (path === '/metrics')
    return end(
      response,
      200,
      metrics.text({ ...host.gauges(), strangers: strangers.count() }),
      'text/plain; version=0.0.4',
    )
  if (path !== '/ready') return end(response, 404, 'not found\n')
  await ready().then(
    () => end(response, 200, 'ready\n'),
    () => end(response, 503, 'not ready\n'),
  )
}

let asked = 0

async function callOf(served: Served, request: IncomingMessage, isJson: boolean): Promise<Reply<unknown>> {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const tenant = await authenticated(served, token, request.socket)
  if (!isJson) checkVersion(Number(request.headers['scrubjay-version']))
  const bytes = await bodyOf(request, served)
  const call = checkCall({ ...(isJson ? jsonCall(bytes) : object(decoded(bytes))), id: `http-${++asked}` })
  const reply = await served.host.call(tenant, call)
  const isPacked = isJson && (call.method === 'recall' || call.method === 'assemble')
  return reply.ok && isPacked ? { ...reply, value: unpackResult(reply.value as PackedResult) } : reply
}

function jsonCall(bytes: Uint8Array): object {
  const { method, request = {}, now = Date.now(), operation } = parsed(bytes)
  return { method, request, context: { now, operation }, deadlineMs: jsonDeadlineMs }
}

/** The store of the token. Its connection is not a stranger from then on. */
export async function authenticated(
  { authenticate, metrics, strangers }: Served,
  token: unknown,
  socket: Duplex,
): Promise<string> {
  try {
    const tenant = await authenticate(token)
    strangers.admit(socket)
    return tenant
  } catch (error) {
    metrics.count('refused_tokens')
    throw error
  }
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  checkSize(bytes)
  try {
    return object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw noMessage()
  }
}

/** Throws INVALID_ARGUMENT for bytes that hold no message. */
export function decoded(bytes: Uint8Array): unknown {
  try {
    checkSize(jsonOf(bytes))
    return decodeMessage(bytes)
  } catch (error) {
    throw error instanceof RecallError ? error : noMessage()
  }
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw noMessage()
  return value
}

async function bodyOf(request: IncomingMessage, { server: { limits } }: Served): Promise<Uint8Array> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limits.requestBytes) throw tooLarge(limits)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function allowOrigin(
  { server: { origins = [] } }: Served,
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): void {
  if (origin === undefined || !(origins === '*' || origins.includes(origin))) return
  response.setHeader('access-control-allow-origin', origins === '*' ? '*' : origin)
  response.setHeader('access-control-allow-headers', 'authorization, content-type, scrubjay-version')
}

function statusOf(reply: Reply<unknown> & { readonly ok: false }): number {
  const { code, field } = reply.error
  if (field === 'token') return 401
  if (code.startsWith('INVALID_') || code.startsWith('UNKNOWN_') || code === 'DIMENSION_MISMATCH') return 400
  if (code === 'STORE_BUSY') return 429
  return code === 'QUOTA_EXCEEDED' ? 507 : 503
}

function end(response: ServerResponse, status: number, body: string | Uint8Array, type = 'text/plain'): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end(body)
}

function noMessage() {
  return recallError('INVALID_ARGUMENT', 'must be a message of this interface', {
    field: 'request',
    hint: 'Use the client of this package, or send JSON with a method and its request.',
  })
}
