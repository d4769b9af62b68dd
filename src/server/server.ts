/** Starts a server: many stores in one PostgreSQL database, over HTTP and WebSockets. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkGiven } from '../client/link/check-given.ts'
import { resolveOptions } from '../client/link/resolve-options.ts'
import { recallError } from '../core/model/errors.ts'
import type { EmbeddingPort } from '../protocol/engine-options.ts'
import { type ResolvedServer, resolveServer, type ServerOptions } from './common/options.ts'
import { openCache } from './host/cache.ts'
import { createHost, type HostParts } from './host/host.ts'
import { createMetrics } from './host/metrics.ts'
import { authenticator } from './host/tokens.ts'
import { answerHttp, type Served } from './http/answer.ts'
import { guarded } from './http/guards.ts'
import { createSockets } from './http/sockets.ts'
import { createStrangers, strangerMs } from './http/strangers.ts'
import { createSchema, postgresBlocks, type Queries } from './postgres/block-store.ts'

export interface RecallServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string
  /**
   * Shuts down in order: is not ready any more, refuses new calls, waits up to 10 s for those that run, and closes connections, engines and the
   * pool.
   */
  close(): Promise<void>
}

export interface ListenOptions {
  /** Default 8080; 0: a free one. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined
}

/** Rejects with `INVALID_CONFIG` for wrong options, and with `STORAGE_UNAVAILABLE` if the database is out of reach. */
export async function serve(
  options: ServerOptions,
  { port = 8080, host: address = '127.0.0.1' }: ListenOptions = {},
): Promise<RecallServer> {
  const server = resolveServer(options)
  await checkGiven(server.store ?? {})
  const resolved = resolveOptions(server.store ?? {}, { isNode: true, hasWorkers: false })
  const { engine, embedder, builtIn, given } = resolved
  const pool =
    typeof server.postgres === 'string' ? await openPool(server.postgres, server.connections) : server.postgres
  const endPool = async () => {
    if (typeof server.postgres === 'string') await pool.end?.()
  }
  try {
    await createSchema(pool, server.schema)
    const embedding = builtIn === null ? portOver(embedder) : (await import('#inline')).openTable(builtIn)
    const metrics = createMetrics()
    const cache = server.cache && (await openCache(server.cache))
    const threads = await threadsOf(server, resolved)
    const blocks = (tenant: string) => postgresBlocks(pool, server.schema, tenant)
    const host = createHost(server, {
      blocks,
      engine,
      embedding,
      extensions: given.extensions,
      metrics,
      cache,
      threads,
    })
    let isClosing = false
    const ready = async () => {
      if (isClosing) throw new Error('closing')
      await pool.query('SELECT 1')
    }
    const strangers = createStrangers(server.limits)
    const served: Served = { server, host, metrics, authenticate: authenticator(server), strangers, ready }
    const sockets = await createSockets(served)
    const answer = guarded(
      (request: IncomingMessage, response: ServerResponse) => answerHttp(served, request, response),
      (error, _request, response) => {
        server.onError?.(error)
        response.destroy()
      },
    )
    const http = createHttpServer({ headersTimeout: strangerMs, connectionsCheckingInterval: 1_000 }, answer)
    http.on('connection', strangers.greet)
    http.on('upgrade', sockets.upgrade)
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject)
      http.listen(port, address, resolve)
    })
    const { port: own } = http.address() as AddressInfo
    return {
      url: `http://${address.includes(':') ? `[${address}]` : address}:${own}`,
      async close() {
        if (isClosing) return
        isClosing = true
        const closed = new Promise((resolve) => http.close(resolve))
        sockets.drain()
        await host.close()
        sockets.close()
        strangers.close()
        http.closeAllConnections()
        await closed
        await endPool()
      },
    }
  } catch (error) {
    await endPool()
    throw error
  }
}

async function threadsOf(
  { threads }: ResolvedServer,
  { embedder, builtIn, assets: { worker }, given: { extensions } }: ReturnType<typeof resolveOptions>,
): Promise<HostParts['threads']> {
  if (threads === 0) return undefined
  if (extensions !== undefined && typeof extensions !== 'string' && !(extensions instanceof URL)) {
    throw recallError('INVALID_CONFIG', 'must be 0 where the extensions are functions', {
      field: 'threads',
      value: threads,
      hint: 'Give the URL of a module with the extensions: each thread loads it.',
    })
  }
  const port = portOver(embedder)
  const embedding = builtIn === null ? port && { port } : { tables: builtIn }
  return (await import('#inline')).openThreads(
    threads,
    embedding,
    extensions,
    worker instanceof URL ? worker : undefined,
  )
}

function portOver(embedder: ReturnType<typeof resolveOptions>['embedder']): EmbeddingPort | null {
  if (embedder === null) return null
  return { embed: async (texts, role) => embedder.embed(texts, role) }
}

async function openPool(url: string, connections = 10): Promise<Queries & { end(): Promise<void> }> {
  const pg = await import('pg').catch(() => {
    throw recallError('INVALID_CONFIG', 'must have the package pg, which is not installed', {
      field: 'postgres',
      hint: 'Install it: npm install pg ws',
    })
  })
  const pool = new pg.default.Pool({ connectionString: url, max: connections, application_name: 'scrubjay' })
  // A connection that breaks while it is idle; the next query opens another one.
  pool.on('error', () => undefined)
  return pool as unknown as Queries & { end(): Promise<void> }
}
