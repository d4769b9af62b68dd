/**
 * Sends what no client sends: random bytes, broken requests, and broken frames of WebSockets, each over a connection of its own. It knows nothing of
 * the server but its port.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { encodeMessage } from '../../../src/protocol/wire.ts'
import type { Random } from '../data/random.ts'

export type Ending = 'end' | 'reset' | 'destroy' | 'wait'

/** Opens a connection, sends the parts, and ends it in a given way. Resolves to what came back, when the connection is closed. */
export function send(port: number, parts: readonly (string | Uint8Array)[], ending: Ending = 'end'): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket: Socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
      if (ending === 'end') socket.end()
      else if (ending === 'reset') setImmediate(() => socket.resetAndDestroy())
      else if (ending === 'destroy') setImmediate(() => socket.destroy())
    })
    socket.setEncoding('latin1')
    socket.on('data', (text) => (answer += text))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
    socket.setTimeout(ending === 'wait' ? 300 : 800, () => socket.destroy())
  })
}

export const upgrade = (path: string, headers: readonly string[] = []) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '',
    '',
  ].join('\r\n')

const targets = [
  '/v1/live', '/v1/call', '/', '//', '*', '/health', '/metrics', '/%', '/%zz', '/v1/live?x=%', 'http://a/v1/live', 'http://', 'a', '',
  '//v1/live', '/../v1/live', '/v1/live#x', '/\u00ff', '/v1\\live', '/'.repeat(9_000), 'https://[::1', 'http://a:99999/',
] // biome-ignore format: one list
const methods = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'CONNECT', 'DELETE', 'TRACE', 'PRI', 'X', '']
const origins = [
  'null',
  'x',
  'http://',
  'http://a',
  'https://[',
  '',
  'http://a:99999',
  'file://',
  '\u00ff',
  'http://a, http://b',
]
const headerLines = [
  'Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c', 'Upgrade:', 'Connection: keep-alive, Upgrade', 'Connection: close',
  'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 8', 'Sec-WebSocket-Version: x', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key: x', 'Sec-WebSocket-Protocol: scrubjay', 'Sec-WebSocket-Protocol: ,,', 'Sec-WebSocket-Extensions: permessage-deflate',
  'Sec-WebSocket-Extensions: ;;=', 'Host: a', 'Host:', 'Host: [', 'Expect: 100-continue', 'Transfer-Encoding: chunked', 'Content-Length: 5',
  'Content-Length: -1', 'Content-Length: 99999999999', 'Content-Type: application/json', 'Authorization: Bearer x', 'Authorization: Bearer',
  'Authorization: \u00ff', 'scrubjay-version: x', 'Cookie: x', `X: ${'y'.repeat(20_000)}`, 'no colon', ': no name', ' folded', 'HTTP2-Settings: x',
] // biome-ignore format: one list
const bodies = [
  '', '{}', 'null', '[]', '"x"', '{"method":"forget","request":"bob"}', '{"method":"close"}', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\nx\r\n',
  '-1\r\n', `[${'['.repeat(5_000)}`, '\0\0\0\0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n',
] // biome-ignore format: one list

/** A random request in one or several parts. */
export function randomRequest(random: Random): {
  readonly parts: readonly (string | Uint8Array)[]
  readonly ending: Ending
} {
  const ending = random.pick(['end', 'reset', 'destroy', 'end'] as const)
  if (random.below(12) === 0) return { parts: [randomBytes(1 + random.below(300))], ending }
  const lines = [
    `${random.pick(methods)} ${random.pick(targets)} HTTP/${random.pick(['1.1', '1.1', '1.0', '2.0', 'x', ''])}`,
  ]
  if (random.below(3) > 0) lines.push('Host: a')
  if (random.below(2) > 0) lines.push('Connection: Upgrade', 'Upgrade: websocket')
  for (let i = random.below(5); i > 0; i--) lines.push(random.pick(headerLines))
  if (random.below(2) > 0) lines.push(`Origin: ${random.pick(origins)}`)
  const text = `${lines.join(random.below(9) === 0 ? '\n' : '\r\n')}\r\n\r\n${random.pick(bodies)}`
  const cut = random.below(4) === 0 ? random.below(text.length) : text.length
  const parts = random.below(3) === 0 ? [text.slice(0, cut), text.slice(cut)] : [text.slice(0, cut)]
  return { parts: parts.filter((part) => part !== ''), ending }
}

/** One frame of a WebSocket, right or wrong in each of its fields. */
export function frame(
  payload: Uint8Array,
  { opcode = 2, isFinal = true, isMasked = true, reserved = 0, length = payload.length } = {},
): Uint8Array {
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode
  const mask = isMasked ? 0x80 : 0
  const size =
    length < 126
      ? Buffer.from([mask | length])
      : length < 65_536
        ? Buffer.from([mask | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([mask | 127]), bigEndian(length)])
  const key = isMasked ? randomBytes(4) : Buffer.alloc(0)
  const body = isMasked ? payload.map((byte, i) => byte ^ key[i % 4]!) : payload
  return Buffer.concat([Buffer.from([first]), size, key, body])
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

const messages = (random: Random): Uint8Array =>
  random.pick<() => Uint8Array>([
    () => randomBytes(random.below(200)),
    () => new Uint8Array(0),
    () =>
      encodeMessage(
        random.pick<unknown>([null, 7, 'x', [], {}, { type: 'call' }, { type: 'call', call: null }, { type: 'x' }]),
      ),
    () =>
      encodeMessage({
        type: 'hello',
        version: random.pick<unknown>([1, 'x', null, 99]),
        token: random.pick<unknown>([1, 'x', null, {}]),
      }),
    () => encodeMessage({ type: 'cancel', id: random.pick<unknown>([1, {}, null]) }),
    () =>
      encodeMessage({ type: 'call', call: { id: 'a', method: random.pick(['count', 'forget', 'x']), request: 'bob' } }),
    () => Buffer.from('\u00ff\u00ff\u00ff\u00ff{"type":"hello"}', 'latin1'),
    () => Buffer.from([200, 0, 0, 0, 91, 91]),
    () => Buffer.concat([Buffer.from([4, 0, 0, 0]), Buffer.from('null'), randomBytes(9)]),
    () => Buffer.alloc(70_000, 91),
  ])()

/** The parts of a connection that is upgraded and then sends frames that no client sends. */
export function randomFrames(random: Random): {
  readonly parts: readonly (string | Uint8Array)[]
  readonly ending: Ending
} {
  const frames = Array.from({ length: 1 + random.below(4) }, () => {
    const payload = messages(random)
    return frame(payload, {
      opcode: random.pick([2, 2, 2, 1, 0, 8, 9, 10, 3, 15]),
      isFinal: random.below(5) > 0,
      isMasked: random.below(8) > 0,
      reserved: random.below(8) === 0 ? 1 + random.below(7) : 0,
      ...(random.below(8) === 0 ? { length: random.pick([0, 125, 126, 65_535, 65_536, 2 ** 31, 2 ** 40]) } : {}),
    })
  })
  const parts = [upgrade('/v1/live'), ...frames.map((one) => (random.below(6) === 0 ? one.subarray(0, 3) : one))]
  return { parts, ending: random.pick(['end', 'reset', 'destroy', 'wait', 'end', 'reset']) }
}
