/**
 * Simulates a cluster in one process: tenants with Zipf access, nodes with engines of their own, one PostgreSQL that syncs, and a transport that
 * cuts, delays and repeats statements. Prints the figures of docs/scale.md.
 *
 *     npm run scale -- --small 400 --large 8 --nodes 4 --threads 0 --seconds 20 --seed 1
 *
 * `--cold .1` measures only a load in which this share of the calls opens a store; with `--files 1` from a file instead of rows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BlockStore } from '../../dist/src/protocol/blocks.js'
import type { CallRequest } from '../../dist/src/protocol/engine-host.js'
import type { Reply } from '../../dist/src/protocol/envelope.js'
import { type Cache, openCache } from '../../dist/src/server/host/cache.js'
import { createHost, type Host } from '../../dist/src/server/host/host.js'
import { createMetrics } from '../../dist/src/server/host/metrics.js'
import { resolveServer } from '../../dist/src/server/common/options.js'
import { createSchema, postgresBlocks } from '../../dist/src/server/postgres/block-store.js'
import { openThreads } from '../../dist/worker/inline.js'
import { createRandom, type Random } from '../support/data/random.ts'
import { startPostgres } from '../support/postgres.ts'
import { engineOptions } from '../support/stores/engine-options.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '400' },
    large: { type: 'string', default: '8' },
    nodes: { type: 'string', default: '4' },
    threads: { type: 'string', default: '0' },
    clients: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    cold: { type: 'string', default: 'NaN' },
    files: { type: 'string', default: '0' },
  },
})
const size = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as Record<
  keyof typeof values,
  number
>
const [smallRecords, largeRecords, dimensions] = [20, 1_000, 384]
const space = { name: 'random', dimensions }
const schema = 'scrubjay'
const random = createRandom(size.seed)
const folders: string[] = []
const words = Array.from({ length: 4_000 }, (_, i) => `${syllable(i)}${syllable(i * 7 + 3)}${i % 10}`)
const tenants = [
  ...Array.from({ length: size.large }, (_, i) => ({ name: `large-${i}`, records: largeRecords })),
  ...Array.from({ length: size.small }, (_, i) => ({ name: `small-${i}`, records: smallRecords })),
]

const database = await startPostgres({ fsync: true })
const pool = database.pool()
try {
  await createSchema(pool, schema)
  console.log(
    `tenants: ${size.small} of ${smallRecords}, ${size.large} of ${largeRecords}; ${size.nodes} nodes with ${size.threads} threads, ${size.clients} clients, seed ${size.seed}`,
  )
  await fill()
  if (Number.isNaN(size.cold)) {
    await openings()
    await load('all warm', tenants.length)
    await load('a tenth of the stores fit', Math.max(4, Math.ceil(tenants.length / 10)))
    await load('a tenth of the stores fit, others in files', Math.max(4, Math.ceil(tenants.length / 10)), true)
    await hotStore()
    await faults()
  } else {
    const quarter = Math.max(size.nodes, Math.ceil(tenants.length / 4))
    await load(`${100 * size.cold} % cold`, quarter, size.files > 0, size.cold)
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await pool.end()
  await database.stop()
}

async function fill(): Promise<void> {
  const node = openNode(8)
  const [started, wal] = [performance.now(), await walBytes()]
  let records = 0
  for (const tenant of tenants)
    for (let from = 0; from < tenant.records; from += 500) {
      const batch = Array.from({ length: Math.min(500, tenant.records - from) }, (_, i) =>
        recordOf(random, `r${from + i}`),
      )
      await value(node, tenant.name, 'put', { batch })
      records += batch.length
    }
  const seconds = (performance.now() - started) / 1_000
  const [{ table }] = await rows<{ table: string }>(`SELECT pg_total_relation_size('${schema}.blocks') AS table`)
  const bytesARecord = Number(table) / records
  const walBytesARecord = ((await walBytes()) - wal) / records
  print('fill', { records, perSecond: records / seconds, walBytesARecord })
  print('rows', {
    bytesARecord,
    gigabytesAMillionStoresOfThousand: bytesARecord,
    gigabytesAMillionStoresOfTwenty: bytesARecord / 50,
  })
  const puts: number[] = []
  const before = await walBytes()
  for (let i = 0; i < 200; i++)
    puts.push(await timed(() => value(node, tenants[0]!.name, 'put', { batch: [recordOf(random, `p${i}`)] })))
  print('one put', { ...percentiles(puts), walKilobytes: ((await walBytes()) - before) / 200 / 1_024 })
  await node.close()
}

async function openings(): Promise<void> {
  for (const records of [smallRecords, largeRecords]) {
    const some = tenants.filter((tenant) => tenant.records === records).slice(0, 20)
    if (some.length === 0) continue
    const node = openNode(tenants.length)
    global.gc?.()
    const before = process.memoryUsage()
    const times: number[] = []
    for (const { name } of some) times.push(await timed(() => value(node, name, 'recall', { query: queryOf(random) })))
    const after = process.memoryUsage()
    print(`cold opening of ${records} records, to the first answer`, {
      ...percentiles(times),
      megabytesAStore: (after.rss - before.rss) / some.length / 1e6,
    })
    await node.close()
    const cached = openNode(1, undefined, await cache())
    for (const { name } of some) await value(cached, name, 'count', { scope: {} })
    const again: number[] = []
    for (const { name } of some.slice(0, -1))
      again.push(await timed(() => value(cached, name, 'recall', { query: queryOf(random) })))
    print(`  the same from files`, percentiles(again))
    await cached.close()
  }
}

/**
 * 80 % recalls and 20 % puts of one record; the node of a call is chosen by the tenant, as a proxy would. `cold`: the share of calls that go to a
 * store that its node has not open, each such store in its turn; the other calls go to open stores.
 */
async function load(what: string, fitting: number, hasCache = false, cold = Number.NaN): Promise<void> {
  const openStores = Math.max(1, Math.ceil(fitting / size.nodes))
  const isAnyShare = Number.isNaN(cold)
  const open = async () => openNode(openStores, undefined, hasCache ? await cache() : undefined)
  const nodes = await Promise.all(Array.from({ length: size.nodes }, open))
  // Each store was open once, as after a day.
  if (hasCache)
    for (const [i, { name }] of tenants.entries()) await value(nodes[i % nodes.length]!, name, 'count', { scope: {} })
  const popular = zipf(tenants.length)
  const order = random.shuffled(tenants.map((_, i) => i))
  if (fitting >= tenants.length)
    for (const [i, { name }] of tenants.entries()) await value(nodes[i % nodes.length]!, name, 'count', { scope: {} })
  const openIn = nodes.map(() => new Set<number>())
  const isOpen = (at: number) => openIn[at % nodes.length]!.has(at)
  /** Notes a call as the node does, which closes the store that was not used for longest. */
  const touch = (at: number) => {
    const those = openIn[at % nodes.length]!
    those.delete(at)
    those.add(at)
    if (those.size > openStores) those.delete(those.values().next().value!)
  }
  let turn = 0
  const choose = (own: Random): number => {
    if (isAnyShare) return order[popular(own)]!
    const isCold = own.next() < cold
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const at = isCold ? turn++ % tenants.length : order[popular(own)]!
      if (isOpen(at) !== isCold) return at
    }
    return order[0]!
  }
  if (!isAnyShare)
    for (const at of order.slice(0, fitting)) {
      await value(nodes[at % nodes.length]!, tenants[at]!.name, 'count', { scope: {} })
      touch(at)
    }
  const [recalls, puts]: [number[], number[]] = [[], []]
  const [started, opened] = [performance.now(), openedBy(nodes)]
  const end = started + size.seconds * 1_000
  const client = async (own: Random) => {
    for (let i = 0; performance.now() < end; i++) {
      const at = choose(own)
      touch(at)
      const node = nodes[at % nodes.length]!
      const isRecall = own.below(5) > 0
      const call = () =>
        isRecall
          ? value(node, tenants[at]!.name, 'recall', { query: queryOf(own) })
          : value(node, tenants[at]!.name, 'put', { batch: [recordOf(own, `n${own.below(1e9)}`)] })
      ;(isRecall ? recalls : puts).push(await timed(call))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: size.clients }, (_, i) => client(createRandom(size.seed * 100 + i))))
  const seconds = (performance.now() - started) / 1_000
  const calls = recalls.length + puts.length
  print(what, {
    callsPerSecond: calls / seconds,
    recallsPerSecond: recalls.length / seconds,
    coldShare: (openedBy(nodes) - opened) / calls,
  })
  print('  recall', percentiles(recalls))
  print('  put', percentiles(puts))
  for (const node of nodes) await node.close()
}

/** All nodes write to one store: the price of ignoring where a store is warm. */
async function hotStore(): Promise<void> {
  for (const count of [1, size.nodes]) {
    const nodes = Array.from({ length: count }, () => openNode(4))
    const end = performance.now() + Math.min(8_000, size.seconds * 500)
    const started = performance.now()
    let written = 0
    const writer = async (i: number) => {
      for (let n = 0; performance.now() < end; n++) {
        await value(nodes[i % count]!, 'hot', 'put', { batch: [recordOf(random, `h${count}-${i}-${n}`)] })
        written++
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, i) => writer(i)))
    print(`hot store, 8 writers over ${count} nodes`, {
      putsPerSecond: written / ((performance.now() - started) / 1_000),
    })
    for (const node of nodes) await node.close()
  }
}

/** One statement in eight is cut before, cut after, delayed or repeated. Every acknowledged write must be in the rows. */
async function faults(): Promise<void> {
  const faulty = createRandom(size.seed + 1)
  const nodes = Array.from({ length: size.nodes }, () => openNode(50, (blocks) => hurt(blocks, faulty)))
  const acknowledged: (readonly [string, string])[] = []
  let refused = 0
  const writer = async (i: number) => {
    for (let n = 0; n < 25; n++) {
      const tenant = `fault-${(i + n) % 4}`
      const id = `f${i}-${n}`
      for (let attempt = 0; attempt < 10; attempt++) {
        const reply = await nodes[faulty.below(nodes.length)]!.call(
          tenant,
          request('put', { batch: [recordOf(random, id)] }, `op-${i}-${n}`),
        )
        if (reply.ok) {
          acknowledged.push([tenant, id])
          break
        }
        refused++
      }
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, i) => writer(i)))
  const found = await rows<{ tenant: string; id: string }>(
    `SELECT set_config('scrubjay.tenant', t.n, true), t.n AS tenant, (SELECT string_agg(convert_from(b.id, 'UTF8'), ' ') FROM ${schema}.pull(t.n, 0, '{}', '{}') b WHERE b.kind = 1 AND b.frames IS NOT NULL) AS id
      FROM unnest(ARRAY['fault-0', 'fault-1', 'fault-2', 'fault-3']) AS t (n)`,
  )
  const stored = new Set(found.flatMap(({ tenant, id }) => (id ?? '').split(' ').map((one) => `${tenant} ${one}`)))
  const lost = acknowledged.filter(([tenant, id]) => !stored.has(`${tenant} ${id}`))
  print('faults', { acknowledged: acknowledged.length, refusedAndRepeated: refused, lost: lost.length })
  if (lost.length > 0) process.exitCode = 1
  for (const node of nodes) await node.close()
}

function hurt(blocks: BlockStore, faulty: Random): BlockStore {
  return {
    ...blocks,
    async ship(changes) {
      const fault = faulty.below(32)
      if (fault === 0) throw new Error('cut before')
      if (fault === 1) await new Promise((resolve) => setTimeout(resolve, 20))
      if (fault === 2) await blocks.ship(changes)
      const written = await blocks.ship(changes)
      if (fault === 3) throw new Error('cut after')
      return written
    },
    async pull(after, keys) {
      if (faulty.below(32) === 0) throw new Error('pull cut')
      return blocks.pull(after, keys)
    },
  }
}

function openNode(
  openStores: number,
  through: (blocks: BlockStore) => BlockStore = (blocks) => blocks,
  kept?: Cache,
): Host & { opened(): number } {
  const metrics = createMetrics()
  let opened = 0
  const limits = { callsPerSecond: 1e9, records: 1e9 }
  const server = resolveServer({ postgres: pool, tokens: {}, openStores, limits })
  const host = createHost(server, {
    blocks: (tenant) => through(postgresBlocks(pool, schema, tenant)),
    engine: { ...engineOptions, space },
    embedding: null,
    extensions: undefined,
    cache: kept,
    threads: size.threads > 0 ? openThreads(size.threads, null, undefined) : undefined,
    metrics: {
      ...metrics,
      opened(seconds) {
        opened++
        metrics.opened(seconds)
      },
    },
  })
  return { ...host, opened: () => opened }
}

async function cache(): Promise<Cache> {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-cache-'))
  folders.push(folder)
  return openCache({ folder, bytes: 4e9, maxAgeMs: 3_600_000 })
}

function openedBy(nodes: readonly { opened(): number }[]): number {
  return nodes.reduce((sum, node) => sum + node.opened(), 0)
}

function request(method: CallRequest['method'], given: unknown, operation?: string): CallRequest {
  const id = `sim-${Math.random()}`
  return {
    id,
    method,
    request: given,
    context: { now: Date.UTC(2026, 0, 1), operation: operation ?? id },
    deadlineMs: 120_000,
  }
}

async function value(host: Host, tenant: string, method: CallRequest['method'], given: unknown): Promise<unknown> {
  const reply: Reply<unknown> = await host.call(tenant, request(method, given))
  if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`)
  return reply.value
}

function recordOf(own: Random, id: string) {
  const body = Array.from({ length: 24 }, () => words[Math.floor((own.below(1e6) / 1e6) ** 2 * words.length)]).join(' ')
  return { id, body, tags: [`t${own.below(20)}`], project: `p${own.below(7)}`, vectors: own.vector(dimensions) }
}

function queryOf(own: Random) {
  return { text: [0, 1, 2].map(() => words[own.below(words.length / 4)]).join(' '), vector: own.vector(dimensions) }
}

/** Ranks by Zipf's law with exponent 1.1. */
function zipf(count: number): (own: Random) => number {
  const sums: number[] = []
  for (let i = 0; i < count; i++) sums.push((sums[i - 1] ?? 0) + (i + 1) ** -1.1)
  return (own) => {
    const at = (own.below(1e9) / 1e9) * sums[count - 1]!
    const found = sums.findIndex((sum) => sum >= at)
    return found < 0 ? count - 1 : found
  }
}

function syllable(i: number): string {
  return `${'bdfgklmnprst'[i % 12]}${'aeiou'[Math.floor(i / 12) % 5]}${'lmnrs'[Math.floor(i / 60) % 5]}`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function percentiles(times: readonly number[]): Record<string, number> {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

async function rows<T>(sql: string): Promise<[T, ...T[]]> {
  return (await pool.query(sql)).rows as [T, ...T[]]
}

async function walBytes(): Promise<number> {
  return Number((await rows<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`))[0].at)
}

function print(what: string, figures: Readonly<Record<string, number>>): void {
  const parts = Object.entries(figures).map(
    ([name, figure]) => `${name} ${figure >= 100 || Number.isInteger(figure) ? Math.round(figure) : figure.toFixed(2)}`,
  )
  console.log(`${what}: ${parts.join(', ')}`)
}
