/** Answers requests over HTTP: one call a request, health, readiness and figures. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type { CallRequest } from '../../protocol/engine-host.ts'
import type { Reply } from '../../protocol/envelope.ts'
import { checkVersion } from '../../protocol/handshake.ts'
import { type PackedResult, unpackResult } from '../../protocol/packed-result.ts'
import { decodeMessage, encodeMessage } from '../../protocol/wire.ts'
import type { Host } from '../host/host.ts'
import { tooLarge } from '../host/limits.ts'
import type { Metrics } from '../host/metrics.ts'
import type { Authenticate } from '../host/tokens.ts'
import type { ResolvedServer } from '../common/options.ts'

export interface Served {
  readonly server: ResolvedServer
  readonly host: Host
  readonly metrics: Metrics
  readonly authenticate: Authenticate
  /** Rejects while the database is out of reach or the server ends. */
  ready(): Promise<void>
}

const binary = 'application/octet-stream'
const json = 'application/json'
/** ms after which a caller of the JSON interface no longer waits. */
const jsonDeadlineMs = 60_000

export async function answerHttp(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://host').pathname
  allowOrigin(served, request, response)
  if (request.method === 'OPTIONS') return end(response, 204, '')
  if (request.method === 'GET') return answerGet(served, path, response)
  if (path !== '/v1/call' || request.method !== 'POST') return end(response, 404, 'not found\n')
  const isJson = (request.headers['content-type'] ?? '').startsWith(json)
  const reply = await callOf(served, request, isJson).catch((error: RecallError): Reply<never> => {
    if (typeof error.toDetails !== 'function') throw error
    return { ok: false, error: error.toDetails() }
  })
  if (!isJson) return end(response, 200, encodeMessage(reply), binary)
  end(response, reply.ok ? 200 : statusOf(reply), JSON.stringify(reply), json)
}

async function answerGet({ host, metrics, ready }: Served, path: string, response: ServerResponse): Promise<void> {
  if (path === '/health') return end(response, 200, 'ok\n')
  if (path === '/metrics') return end(response, 200, metrics.text(host.gauges()), 'text/plain; version=0.0.4')
  if (path !== '/ready') return end(response, 404, 'not found\n')
  await ready().then(
    () => end(response, 200, 'ready\n'),
    () => end(response, 503, 'not ready\n'),
  )
}

let asked = 0

async function callOf(served: Served, request: IncomingMessage, isJson: boolean): Promise<Reply<unknown>> {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const tenant = await authenticated(served, token)
  const bytes = await bodyOf(request, served)
  const id = `http-${++asked}`
  if (!isJson) {
    checkVersion(Number(request.headers['scrubjay-version']))
    return served.host.call(tenant, { ...(decoded(bytes) as CallRequest), id })
  }
  const { method, request: given = {}, now = Date.now(), operation } = parsed(bytes)
  const context = { now, ...(operation === undefined ? {} : { operation }) } as CallRequest['context']
  const call = { id, method, request: given, context, deadlineMs: jsonDeadlineMs } as CallRequest
  const reply = await served.host.call(tenant, call)
  const isPacked = method === 'recall' || method === 'assemble'
  return reply.ok && isPacked ? { ...reply, value: unpackResult(reply.value as PackedResult) } : reply
}

export async function authenticated({ authenticate, metrics }: Served, token: unknown): Promise<string> {
  try {
    return await authenticate(token)
  } catch (error) {
    metrics.count('refused_tokens')
    throw error
  }
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // The error below says what is wrong.
  }
  throw noMessage()
}

export function decoded(bytes: Uint8Array): unknown {
  try {
    return decodeMessage(bytes)
  } catch {
    throw noMessage()
  }
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
