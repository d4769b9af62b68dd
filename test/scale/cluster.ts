/** The cluster under test: one PostgreSQL that syncs, and nodes in this process with engines of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlockStore } from '../../src/protocol/blocks.ts'
import type { CallRequest } from '../../src/protocol/engine-host.ts'
import type { Reply } from '../../src/protocol/envelope.ts'
import { resolveServer } from '../../src/server/common/options.ts'
import { type Cache, openCache } from '../../src/server/host/cache.ts'
import { createHost, type Host } from '../../src/server/host/host.ts'
import { createMetrics } from '../../src/server/host/metrics.ts'
import { createSchema, postgresBlocks } from '../../src/server/postgres/block-store.ts'
import { openThreads } from '../../worker/inline.ts'
import { startPostgres } from '../support/postgres.ts'
import { engineOptions } from '../support/stores/engine-options.ts'
import { options } from './options.ts'
import { space, type Tenant } from './tenants.ts'

export const schema = 'scrubjay'

/** The sources have no program of a thread that runs without a loader. */
const thread = new URL('../../dist/worker/thread.js', import.meta.url)

/** `opened`: how many stores the node opened so far. */
export type Node = Host & { opened(): number }

export interface NodeOptions {
  /** How many stores the node holds open. */
  readonly openStores: number
  /** Keeps files of closed stores. Default false. */
  readonly hasCache?: boolean
  /** Wraps the way to the rows. Default: none. */
  readonly through?: (blocks: BlockStore) => BlockStore
}

export interface Cluster {
  openNode(node: NodeOptions): Promise<Node>
  rows<T>(sql: string): Promise<[T, ...T[]]>
  /** Copies the rows of each store to the store at the same place of `to`. */
  copy(from: readonly Tenant[], to: readonly Tenant[]): Promise<void>
  /** Bytes of the log (WAL) that were written so far. */
  walBytes(): Promise<number>
  close(): Promise<void>
}

export async function openCluster(): Promise<Cluster> {
  const database = await startPostgres({ fsync: true })
  const pool = database.pool()
  const folders: string[] = []
  const close = async () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    await pool.end()
    await database.stop()
  }
  const openFolder = async (): Promise<Cache> => {
    const folder = mkdtempSync(join(tmpdir(), 'scrubjay-cache-'))
    folders.push(folder)
    return openCache({ folder, bytes: 4e9, maxAgeMs: 3_600_000 })
  }
  const rows = async <T>(sql: string) => (await pool.query(sql)).rows as [T, ...T[]]
  try {
    await createSchema(pool, schema)
  } catch (error) {
    await close()
    throw error
  }
  return {
    async openNode({ openStores, hasCache = false, through = (blocks) => blocks }) {
      const metrics = createMetrics()
      let opened = 0
      const limits = { callsPerSecond: 1e9, records: 1e9 }
      const host = createHost(resolveServer({ postgres: pool, tokens: {}, openStores, limits }), {
        blocks: (tenant) => through(postgresBlocks(pool, schema, tenant)),
        engine: { ...engineOptions, space },
        embedding: null,
        extensions: undefined,
        cache: hasCache ? await openFolder() : undefined,
        threads: options.threads > 0 ? openThreads(options.threads, null, undefined, thread) : undefined,
        metrics: {
          ...metrics,
          opened(seconds) {
            opened++
            metrics.opened(seconds)
          },
        },
      })
      return { ...host, opened: () => opened }
    },
    rows,
    async copy(from, to) {
      const names = [from, to].map((tenants) => tenants.map(({ name }) => name))
      const pairs = `FROM unnest($1::text[], $2::text[]) AS pair (original, copy)`
      await database.administer(
        `INSERT INTO ${schema}.stores (tenant, revision, settings)
          SELECT copy, revision, settings ${pairs} JOIN ${schema}.stores ON tenant = original`,
        names,
      )
      await database.administer(
        `INSERT INTO ${schema}.blocks (tenant, kind, id, revision, frames)
          SELECT copy, kind, id, revision, frames ${pairs} JOIN ${schema}.blocks ON tenant = original`,
        names,
      )
    },
    walBytes: async () => Number((await rows<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`))[0].at),
    close,
  }
}

export function request(method: CallRequest['method'], given: unknown, operation?: string): CallRequest {
  const id = `sim-${Math.random()}`
  return {
    id,
    method,
    request: given,
    context: { now: Date.UTC(2026, 0, 1), operation: operation ?? id },
    deadlineMs: 120_000,
  }
}

/** The answer of one call. */
export async function call(
  node: Host,
  tenant: string,
  method: CallRequest['method'],
  given: unknown,
): Promise<unknown> {
  const reply: Reply<unknown> = await node.call(tenant, request(method, given))
  if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`)
  return reply.value
}
