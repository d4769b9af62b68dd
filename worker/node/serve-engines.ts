/** Runs engines over shared rows in a thread of a pool (engine-threads.ts): one for each port that the pool sends. */
import type { MessagePort } from 'node:worker_threads'
import type { CallRequest } from '../../src/protocol/engine-host.ts'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'
import type { BlockStore, ShipOutcome } from '../../src/protocol/blocks.ts'
import { ownTables } from '../../src/embedders/static-embedder.ts'
import type { ThreadRequest } from './engine-threads.ts'
import type { InlineReplica } from './inline-engine.ts'
import { openOverBlocks } from './open-over-blocks.ts'
import { connectCalls, type PortCalls } from './port-calls.ts'

export function serveEngines(pool: MessagePort): void {
  let tables: EmbeddingPort | undefined
  const embeddingOf = ({ embedding }: ThreadRequest, { ask }: PortCalls): EmbeddingPort | null => {
    if (embedding === 'none') return null
    if (embedding === 'port') return { embed: async (...given) => (await ask('embed', ...given.slice(0, 2))) as never }
    tables ??= ownTables(embedding)
    return tables.ofStore?.() ?? tables
  }
  pool.on('message', (port: MessagePort) => {
    let engine: InlineReplica
    const stops = new Map<number, () => void>()
    const calls: PortCalls = connectCalls(port, {
      async open(request: ThreadRequest) {
        const { options, extensions, staleMs, kept } = request
        engine = await openOverBlocks(options, embeddingOf(request, calls), extensions, {
          blocks: blocksOver(calls),
          staleMs,
          kept,
        })
      },
      call: async (request: CallRequest) => ({ reply: await engine.call(request), isOutdated: engine.isOutdated() }),
      cancel: (id: string) => engine.cancel(id),
      subscribe(listener: number) {
        const tell = (event: unknown) => void calls.ask('event', listener, event).catch(() => undefined)
        stops.set(listener, engine.subscribe(tell))
      },
      unsubscribe(listener: number) {
        stops.get(listener)?.()
        stops.delete(listener)
      },
      catchUp: () => engine.catchUp(),
      closeAndKeep: () => engine.closeAndKeep(),
    })
  })
}

function blocksOver({ ask }: PortCalls): BlockStore {
  return {
    head: async () => (await ask('head')) as never,
    pull: async (after, keys) => (await ask('pull', after, keys)) as never,
    ship: async (changes) => (await ask('ship', changes)) as ShipOutcome,
    remove: async () => void (await ask('remove')),
  }
}
