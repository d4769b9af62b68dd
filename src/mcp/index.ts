/** The entry `scrubjay/mcp`: a store as a server of the Model Context Protocol. The official SDK is part of the package. */
import type { McpOptions, McpStore } from './options.ts'
import { buildServer } from './server.ts'

export type { ToolName } from '../tools/definitions.ts'
export { exposeTools, type ModelContext } from '../tools/expose-tools.ts'
export type { McpOptions, McpStore } from './options.ts'
export { type McpConnection, type StdioOptions, serveMcp } from './serve-stdio.ts'

/** A transport of the SDK: stdio, HTTP, or one in memory. */
export interface McpTransport {
  start(): Promise<void>
  send(message: never, options?: never): Promise<void>
  close(): Promise<void>
}

export interface McpServer {
  /** Serves the other end of the transport until one of them closes it. */
  connect(transport: McpTransport): Promise<void>
  close(): Promise<void>
}

/** Creates a server for one connection over a transport of your own. It never closes the store. */
export function createMcpServer(store: McpStore, options: McpOptions = {}): McpServer {
  const server = buildServer(store, options)
  return {
    connect: (transport) => server.connect(transport),
    close: () => server.close(),
  }
}
