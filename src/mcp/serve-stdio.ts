/** Serves one client over stdin and stdout, which is how desktop apps and editors start a server. */
import type { Readable, Writable } from 'node:stream'
import { refuseOtherVersions } from './check-version.ts'
import type { McpOptions, McpStore } from './options.ts'
import { type Server, StdioServerTransport, serveSdk } from './sdk.ts'
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
  const transport = new StdioServerTransport(input, output)
  let modern: Server | undefined
  const serve = ({ era }: { readonly era: string }) => {
    const server = buildServer(store, options)
    modern = era === 'modern' ? server : undefined
    return server
  }
  const handle = serveSdk(serve, { transport, onerror: onError })
  refuseOtherVersions(transport, () => modern?.getNegotiatedProtocolVersion(), onError)
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

/** Promise.withResolvers does not exist in Node 20. */
function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
