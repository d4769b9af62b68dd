/** Serves one client over stdin and stdout, which is how desktop apps and editors start a server. */
import type { Readable, Writable } from 'node:stream'
import { createBackPressure } from './back-pressure.ts'
import { limitLines, mostLineBytes } from './limit-lines.ts'
import type { McpOptions, McpStore } from './options.ts'
import { type Server, StdioServerTransport, serveSdk, UnsupportedProtocolVersionError } from './sdk.ts'
import { buildServer } from './server.ts'

export interface StdioOptions extends McpOptions {
  /** Where messages come from. Default `process.stdin`. */
  readonly input?: Readable | undefined
  /** Where answers go. Nothing else may write to it. Default `process.stdout`. */
  readonly output?: Writable | undefined
  /** Called with errors that no answer can report, such as a message that is not JSON. Default: they are ignored. */
  readonly onError?: ((error: Error) => void) | undefined
}

export interface McpConnection {
  /** Resolves when the client has ended the connection, or after `close`. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves a store to one client. Never closes the store. Calls that run when the client leaves are aborted. */
export function serveMcp(store: McpStore, options: StdioOptions = {}): McpConnection {
  const { input = process.stdin, output = process.stdout, onError = () => undefined } = options
  const { promise: closed, resolve } = withResolvers()
  const tooLong = () =>
    output.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: `A message has at most ${mostLineBytes} bytes` } })}\n`,
    )
  const pressure = createBackPressure(output)
  const lines = input.pipe(limitLines(tooLong, mostLineBytes, pressure.ready))
  const transport = new StdioServerTransport(lines, output)
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    pressure.sent(message)
    return send(message)
  }
  let modern: Server | undefined
  const serve = ({ era }: { readonly era: string }) => {
    const server = buildServer(store, options)
    modern = era === 'modern' ? server : undefined
    return server
  }
  const handle = serveSdk(serve, { transport, onerror: onError })
  refuseOtherVersions(transport, () => modern?.getNegotiatedProtocolVersion(), onError)
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    pressure.received(message)
    receive?.(message)
  }
  const close = async () => {
    await handle.close()
    resolve()
  }
  const end = () => void close().catch(onError)
  for (const event of ['end', 'close', 'error']) input.once(event, end)
  // The client is gone: a write fails with EPIPE.
  output.once('error', end)
  return { closed, close }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Refuses requests that claim another version of the protocol than their connection speaks: the SDK checks the first request only. `spoken`
 * answers undefined until a connection speaks a version whose requests name it.
 */
function refuseOtherVersions(
  transport: StdioServerTransport,
  spoken: () => string | undefined,
  onError: (error: Error) => void,
): void {
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    const version = spoken()
    const requested = 'id' in message && 'method' in message ? message.params?._meta?.[versionKey] : undefined
    if (version === undefined || typeof requested !== 'string' || requested === version) return receive?.(message)
    const { code, message: reason, data } = new UnsupportedProtocolVersionError({ supported: [version], requested })
    transport
      .send({ jsonrpc: '2.0', id: (message as { readonly id: string }).id, error: { code, message: reason, data } })
      .catch(onError)
  }
}

/** Promise.withResolvers does not exist in Node 20. */
function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
