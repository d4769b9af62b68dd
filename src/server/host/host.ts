/**
 * Keeps the engines of the stores that are in use, the least recently used of which are closed. Every store has its own engine. Engines of one
 * thread share it: a long call is cut into steps, so that calls of other stores run between them.
 */

import type { EngineThreads, InlineReplica as Inline } from '../../../worker/inline.ts'
import { type ErrorCode, RecallError, recallError } from '../../core/model/errors.ts'
import type { RecordInput } from '../../core/model/record.ts'
import type { CallRequest } from '../../protocol/engine-host.ts'
import type { EmbeddingPort, EngineOptions } from '../../protocol/engine-options.ts'
import type { Reply } from '../../protocol/envelope.ts'
import type { EventListener } from '../../protocol/events.ts'
import type { Extensions } from '../../protocol/extensions.ts'
import { isMethod } from '../../protocol/methods.ts'
import type { OpenBlocks, ResolvedServer } from '../common/options.ts'
import type { Cache } from './cache.ts'
import { createRate, type Rate, tooManyRecords } from './limits.ts'
import type { Metrics } from './metrics.ts'
import { createShare, type Share, weightOf } from './share.ts'

interface Open {
  readonly tenant: string
  readonly engine: Promise<Inline>
  readonly rate: Rate
  readonly share: Share
  /** On the clock of `performance`. */
  usedAt: number
  running: number
  listening: number
  connections: number
}

export interface Host {
  call(tenant: string, call: CallRequest): Promise<Reply<unknown>>
  cancel(tenant: string, id: string): void
  /** Passes on the events of a store until the returned function is called. Rejects with STORE_BUSY if the store has too many connections. */
  connect(tenant: string, listener: EventListener): Promise<() => void>
  gauges(): Readonly<Record<string, number>>
  /** Refuses new calls, waits for the running ones, and closes all engines. */
  close(): Promise<void>
}

export interface HostParts {
  readonly blocks: OpenBlocks
  readonly engine: EngineOptions
  readonly embedding: EmbeddingPort | null
  readonly extensions: string | URL | Extensions | undefined
  readonly metrics: Metrics
  readonly cache?: Cache | undefined
  /** Run the engines, with embeddings and extensions of their own. Absent: the engines run in this thread. */
  readonly threads?: EngineThreads | undefined
}

/** ms after a call in which its store counts as in use. */
const recentMs = 1_000
/** ms that closing waits for running calls. */
const graceMs = 10_000

export function createHost(server: ResolvedServer, parts: HostParts): Host {
  const { limits, openStores, staleMs, pollMs, onError = () => undefined } = server
  const { blocks, engine, embedding, extensions, metrics, cache, threads } = parts
  /** The least recently used first. */
  const stores = new Map<string, Open>()
  /** Tenants whose store had too little memory even after others were closed: they close no others again. */
  const tooLarge = new Set<string>()
  let isClosing = false

  const openEngine = async (tenant: string): Promise<Inline> => {
    const { openOverBlocks } = await import('#inline')
    const started = performance.now()
    const kept = await cache?.take(tenant)
    const settings = { blocks: blocks(tenant), staleMs, kept }
    const own = { ...engine, name: tenant }
    const attempt = () =>
      threads === undefined
        ? openOverBlocks(own, embedding?.ofStore?.() ?? embedding, extensions, settings)
        : threads.open(own, settings)
    const opened = await attempt().catch(async (error: unknown) => {
      if (!(await freesMemory(tenant, error))) throw error
      return attempt().catch((again: unknown) => {
        noteSize(tenant, again)
        throw again
      })
    })
    metrics.opened((performance.now() - started) / 1_000)
    return opened
  }
  const find = (tenant: string): Open => {
    const known = stores.get(tenant)
    if (known !== undefined) {
      stores.delete(tenant)
      stores.set(tenant, known)
      return known
    }
    const open: Open = {
      tenant,
      engine: openEngine(tenant),
      rate: createRate(limits),
      share: createShare(() => isAlone(tenant)),
      usedAt: 0,
      running: 0,
      listening: 0,
      connections: 0,
    }
    stores.set(tenant, open)
    open.engine.catch(() => drop(open))
    evict(open)
    return open
  }
  const isAlone = (tenant: string) => {
    const recently = performance.now() - recentMs
    return ![...stores.values()].some((open) => open.tenant !== tenant && (open.running > 0 || open.usedAt > recently))
  }
  const drop = (open: Open) => {
    if (stores.get(open.tenant) === open) stores.delete(open.tenant)
  }
  const end = async (open: Open) => {
    drop(open)
    const inline = await open.engine.catch(() => null)
    const kept = await inline?.closeAndKeep()
    if (kept && !isClosing) await cache?.keep(open.tenant, kept)
  }
  const close = (open: Open) => {
    metrics.count('evicted')
    return end(open)
  }
  const evict = (newest: Open) => {
    for (const open of stores.values()) {
      if (stores.size <= openStores) return
      if (open !== newest && isIdle(open)) close(open).catch(onError)
    }
  }
  /** If memory ran out, closes the less recently used half of the idle stores. Resolves to whether another attempt makes sense. */
  const freesMemory = async (tenant: string, error: unknown): Promise<boolean> => {
    if (!isMemoryError(error) || tooLarge.has(tenant)) return false
    const idle = [...stores.values()].filter(isIdle)
    const closed = idle.slice(0, Math.ceil(idle.length / 2))
    await Promise.all(closed.map((open) => close(open).catch(onError)))
    return closed.length > 0
  }
  const noteSize = (tenant: string, error: unknown) => {
    if (isMemoryError(error)) tooLarge.add(tenant)
  }

  const checkRecords = async (inline: Inline, { method, request: given }: CallRequest): Promise<void> => {
    if (method !== 'put' && method !== 'finishImport') return
    const stored = await valueOf<number>(inline, 'count', { scope: {} })
    const batch = method === 'put' ? (given as { readonly batch?: readonly RecordInput[] } | null)?.batch : []
    if (!Array.isArray(batch) || stored + batch.length <= limits.records) return
    const ids = batch.flatMap(({ id }: RecordInput) => (typeof id === 'string' ? [id] : []))
    const known = (await valueOf<readonly unknown[]>(inline, 'get', { ids })).filter(Boolean).length
    if (stored + batch.length - known > limits.records) throw tooManyRecords(limits)
  }

  /** A second time if memory ran out and could be freed. */
  const callTwice = async (tenant: string, inline: Inline, call: CallRequest): Promise<Reply<unknown>> => {
    const first = await inline.call(call)
    if (first.ok || !(await freesMemory(tenant, first.error))) return first
    const second = await inline.call(call)
    if (!second.ok) noteSize(tenant, second.error)
    return second
  }

  const answer = async (tenant: string, call: CallRequest): Promise<Reply<unknown>> => {
    if (isClosing) throw closing()
    const open = find(tenant)
    open.rate.take()
    open.running++
    open.usedAt = performance.now()
    try {
      // Closing is the host's own business: other clients use the same engine.
      if (call.method === 'close') return { ok: true, value: undefined, tookMs: 0 }
      const inline = await open.engine
      const reply = await open.share.run(weightOf(call), async () => {
        await checkRecords(inline, call)
        return callTwice(tenant, inline, call)
      })
      if (call.method === 'destroy') drop(open)
      // Restored, deleted or with other options: the next call opens the rows again.
      if (inline.isOutdated()) end(open).catch(onError)
      return reply
    } finally {
      open.running--
    }
  }

  const poll = setInterval(() => {
    cache?.expire().catch(onError)
    for (const { engine: opening, listening } of stores.values())
      if (listening > 0) void opening.then((inline) => inline.catchUp()).catch(onError)
  }, pollMs)
  poll.unref()

  return {
    async call(tenant, call) {
      const started = performance.now()
      const reply = await answer(tenant, call).catch((error: unknown): Reply<never> => {
        if (error instanceof RecallError) {
          if (error.code === 'STORE_BUSY' || error.code === 'QUOTA_EXCEEDED') metrics.count('refused_by_limit')
          return { ok: false, error: error.toDetails() }
        }
        metrics.count('internal_errors')
        onError(error)
        return { ok: false, error: internal().toDetails() }
      })
      const method = isMethod(call.method) ? call.method : 'unknown'
      metrics.call(method, reply.ok ? 'ok' : reply.error.code, (performance.now() - started) / 1_000)
      return reply
    },
    cancel(tenant, id) {
      void stores.get(tenant)?.engine.then(
        (inline) => inline.cancel(id),
        () => undefined,
      )
    },
    async connect(tenant, listener) {
      if (isClosing) throw closing()
      const open = find(tenant)
      if (open.connections >= limits.connections) {
        throw recallError('STORE_BUSY', `This store has ${limits.connections} connections`, {
          hint: 'Close one of them.',
        })
      }
      open.connections++
      open.listening++
      try {
        const stop = (await open.engine).subscribe(listener)
        return () => {
          stop()
          open.connections--
          open.listening--
        }
      } catch (error) {
        open.connections--
        open.listening--
        throw error
      }
    },
    gauges: () => {
      const open = [...stores.values()]
      const sum = (name: 'running' | 'connections') => open.reduce((all, one) => all + one[name], 0)
      return { open_stores: open.length, running_calls: sum('running'), connections: sum('connections') }
    },
    async close() {
      isClosing = true
      clearInterval(poll)
      const until = performance.now() + graceMs
      while ([...stores.values()].some(({ running }) => running > 0) && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20))
      await Promise.all([...stores.values()].map((open) => end(open).catch(onError)))
      await cache?.close()
      await threads?.close()
    },
  }
}

function isIdle({ running, listening }: Open): boolean {
  return running === 0 && listening === 0
}

/** Of an engine over shared rows, which has no disk that could be full: the stores of a thread share at most 2 GB of memory. */
function isMemoryError(error: unknown): boolean {
  return (error as { readonly code?: ErrorCode } | null)?.code === 'QUOTA_EXCEEDED'
}

let sent = 0

function request(method: CallRequest['method'], given: unknown): CallRequest {
  return { id: `host-${++sent}`, method, request: given, context: { now: Date.now() }, deadlineMs: 30_000 }
}

async function valueOf<T>(inline: Inline, method: CallRequest['method'], given: unknown): Promise<T> {
  const reply = await inline.call(request(method, given))
  if (!reply.ok) throw new RecallError(reply.error)
  return reply.value as T
}

function closing() {
  return recallError('STORE_BUSY', 'This server is shutting down', { hint: 'Connect again: another node answers.' })
}

function internal() {
  return recallError('STORAGE_UNAVAILABLE', 'The server failed', {
    hint: 'Repeat the call. Report it to the operator.',
  })
}
