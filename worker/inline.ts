/**
 * Runs the engine in the caller's process, for Node: tests, servers, command lines. Requests are copied as on the way to
 * a worker, so that later changes to the caller's objects have no effect.
 */
import { staticEmbedder } from '../src/embedders/static-embedder.ts'
import type { EmbeddingSource, EngineCalls } from '../src/protocol/engine-host.ts'
import type { EmbeddingPort, EngineOptions } from '../src/protocol/engine-options.ts'
import type { EventListener } from '../src/protocol/events.ts'
import type { Extensions } from '../src/protocol/extensions.ts'
import { createEngine } from './engine/engine.ts'
import { loadExtensions } from './methods/common/extensions.ts'
import { answerCalls } from './rpc/dispatch.ts'

export interface InlineEngine extends EngineCalls {
  subscribe(listener: EventListener): () => void
}

/** Opens an engine in this process. Rejects as `createEngine` does. */
export async function openInline(
  options: EngineOptions,
  embedding: EmbeddingSource,
  override?: string | URL | Extensions,
  tell?: EventListener,
): Promise<InlineEngine> {
  const extensions = await loadExtensions(override ?? options.extensions)
  const engine = await createEngine(options, openEmbedding(embedding), extensions, { tell })
  const { call, cancel } = answerCalls(engine)
  return {
    // `async`: a request that cannot be copied must reject, not throw.
    call: async (request) => call(structuredClone(request)),
    cancel,
    subscribe: engine.subscribe,
  }
}

function openEmbedding(source: EmbeddingSource): EmbeddingPort | null {
  if (source.kind !== 'table') return null
  return source.url === undefined ? staticEmbedder() : staticEmbedder({ table: new URL(source.url) })
}
