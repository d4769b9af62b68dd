/**
 * A pool of threads that each run many engines over shared rows. An engine stays in the thread that opened it. The rows, and an embedder of
 * the app, stay in the thread that owns the pool.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { CallRequest } from '../../src/protocol/engine-host.ts'
import type { EmbeddingPort, EngineOptions } from '../../src/protocol/engine-options.ts'
import type { Reply } from '../../src/protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../../src/protocol/events.ts'
import type { BlockKey, BlockStore, KeptStore, Pulled, Shipped } from '../../src/protocol/blocks.ts'
import type { StaticEmbedderOptions } from '../../src/embedders/static-embedder.ts'
import type { ReplicaSettings } from '../replica/replica.ts'
import type { InlineReplica } from './inline-engine.ts'
import { connectCalls } from './port-calls.ts'

/** What makes vectors: tables that each thread loads once, an embedder of the pool's thread, or nothing. */
export type ThreadEmbedding = { readonly tables: StaticEmbedderOptions } | { readonly port: EmbeddingPort } | null

export interface ThreadRequest {
  readonly options: EngineOptions
  readonly embedding: 'port' | 'none' | StaticEmbedderOptions
  readonly extensions: string | undefined
  readonly staleMs: number | undefined
  readonly kept: KeptStore | undefined
}

export interface EngineThreads {
  open(options: EngineOptions, settings: ReplicaSettings): Promise<InlineReplica>
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  engines: number
}

/** `program`: the file that each thread runs. */
export function createThreads(
  count: number,
  program: URL,
  embedding: ThreadEmbedding,
  extensions: string | URL | undefined,
): EngineThreads {
  const threads = new Set<Thread>()

  const start = (): Thread => {
    const worker = new Worker(program, { workerData: null, execArgv: [] })
    const thread: Thread = { worker, engines: 0 }
    threads.add(thread)
    // Its engines notice by their ports. The next opening starts another thread.
    worker.on('error', () => undefined)
    worker.on('exit', () => threads.delete(thread))
    return thread
  }
  const idlest = (): Thread =>
    threads.size < count ? start() : [...threads].reduce((best, one) => (one.engines < best.engines ? one : best))

  return {
    async open(options, { blocks, staleMs, kept }) {
      const thread = idlest()
      thread.engines++
      const { port1, port2 } = new MessageChannel()
      thread.worker.postMessage(port2, [port2])
      try {
        return await openIn(port1, blocks, embedding, () => thread.engines--, {
          options,
          embedding: embedding === null ? 'none' : 'tables' in embedding ? embedding.tables : 'port',
          extensions: extensions === undefined ? undefined : String(extensions),
          staleMs,
          kept,
        })
      } catch (error) {
        thread.engines--
        port1.close()
        throw error
      }
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

async function openIn(
  port: MessagePort,
  blocks: BlockStore,
  embedding: ThreadEmbedding,
  ended: () => void,
  request: ThreadRequest,
): Promise<InlineReplica> {
  const listeners = new Map<number, EventListener>()
  let count = 0
  let isOutdated = false
  const calls = connectCalls(port, {
    head: () => blocks.head(),
    pull: async (after: number, keys: readonly BlockKey[]) => plain(await blocks.pull(after, keys)),
    ship: (changes: Shipped) => blocks.ship(changes),
    remove: () => blocks.remove(),
    embed: (texts: readonly string[], role: 'query' | 'document') =>
      embedding !== null && 'port' in embedding ? embedding.port.embed(texts, role) : [],
    event: (listener: number, event: EngineEvent) => listeners.get(listener)?.(event),
  })
  await calls.ask('open', request)
  return {
    async call(given: CallRequest) {
      const answer = (await calls.ask('call', given)) as {
        readonly reply: Reply<unknown>
        readonly isOutdated: boolean
      }
      isOutdated ||= answer.isOutdated
      return answer.reply
    },
    cancel: (id) => void calls.ask('cancel', id).catch(() => undefined),
    subscribe(listener) {
      const own = ++count
      listeners.set(own, listener)
      void calls.ask('subscribe', own).catch(() => undefined)
      return () => {
        listeners.delete(own)
        void calls.ask('unsubscribe', own).catch(() => undefined)
      }
    },
    catchUp: async () => (await calls.ask('catchUp')) as boolean,
    isOutdated: () => isOutdated || calls.hasEnded(),
    async closeAndKeep() {
      try {
        return (await calls.ask('closeAndKeep')) as KeptStore | null
      } finally {
        ended()
        calls.end()
      }
    },
  }
}

/** A copy of a view would copy all of the memory behind it. */
function plain(pulled: Pulled): Pulled {
  return { ...pulled, rows: pulled.rows.map((row) => ({ ...row, frames: row.frames && new Uint8Array(row.frames) })) }
}
