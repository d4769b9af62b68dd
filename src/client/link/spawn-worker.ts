/**
 * Starts the engine's worker and, for the built-in embedder, a second one beside it that makes vectors. Each URL is
 * written in one expression with `import.meta.url`: that is what bundlers look for.
 */

import { absoluteHref } from '../../protocol/absolute-url.ts'
import type { EmbeddingSource } from '../../protocol/engine-host.ts'
import type { Assets } from '../api/open-options.ts'
import type { ResolvedOptions } from './resolve-options.ts'
import type { StartWorker } from './start-refused.ts'
import type { WorkerPort } from './worker-link.ts'

/**
 * A worker that cannot be loaded reports through `onFailure`; one that cannot be made throws the browser's own error. `start` calls what
 * makes a worker of the package, or makes it in another way.
 */
export function spawnWorker(
  { assets, builtIn, engine: { storage } }: ResolvedOptions,
  start: StartWorker = (make) => make(),
): WorkerPort {
  const { worker } = assets
  // Who wants nothing kept gets no table kept either.
  const keep = storage !== 'memory'
  const endpoint = startEngine(worker, start)
  const workers = [endpoint]
  let embedding: EmbeddingSource = { kind: 'none' }
  if (builtIn) {
    const table = absoluteHref(builtIn.table ?? new URL('../../embedders/minilm-static-128.bin', import.meta.url))
    if (worker === undefined) {
      // Refused only together with the first one: both are of one origin.
      const embedder = start(
        () => new Worker(new URL('../../../worker/embedding.js', import.meta.url), { type: 'module' }),
      )
      const { port1, port2 } = new MessageChannel()
      embedder.postMessage({ table, port: port1, keep }, [port1])
      workers.push(embedder)
      embedding = { kind: 'port', port: port2 }
    } else {
      embedding = { kind: 'table', url: table, keep }
    }
  }
  return {
    endpoint,
    embedding,
    onFailure(listener) {
      for (const one of workers) {
        one.addEventListener('error', (event) => {
          // The promise reports it: the page must not see it a second time, as an uncaught error.
          event.preventDefault()
          listener(event.message || 'it could not be loaded')
        })
        one.addEventListener('messageerror', () => listener('a message could not be read'))
      }
    },
    end() {
      for (const one of workers) one.terminate()
    },
  }
}

/** The engine's worker alone. */
export function startEngine(worker: Assets['worker'], start: StartWorker = (make) => make()): Worker {
  return typeof worker === 'function' ? worker() : start(makeEngine(worker))
}

function makeEngine(url: URL | undefined): () => Worker {
  if (url) return () => new Worker(url, { type: 'module' })
  return () => new Worker(new URL('../../../worker/index.js', import.meta.url), { type: 'module' })
}
