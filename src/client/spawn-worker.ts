/**
 * Starts the engine's worker and, for the built-in embedder, a second one beside it that makes vectors. Each URL is
 * written in one expression with `import.meta.url`: that is what bundlers look for.
 */
import type { EmbeddingSource } from '../protocol/engine-host.ts'
import type { Assets } from './open-options.ts'
import type { ResolvedOptions } from './resolve-options.ts'
import type { WorkerPort } from './worker-link.ts'

/** Nothing is waited for here; a worker that cannot be loaded reports through `onFailure`. */
export function spawnWorker({ assets, builtIn, engine: { storage } }: ResolvedOptions): WorkerPort {
  // Who wants nothing kept gets no table kept either.
  const keep = storage !== 'memory'
  const engine = spawnEngine(assets)
  const workers = [engine]
  let embedding: EmbeddingSource = { kind: 'none' }
  if (builtIn) {
    const table = builtIn.table ?? new URL('../embedders/minilm-static-128.bin', import.meta.url)
    if (assets.worker === undefined) {
      const embedder = new Worker(new URL('../../worker/embedding.js', import.meta.url), { type: 'module' })
      const { port1, port2 } = new MessageChannel()
      embedder.postMessage({ table: table.href, port: port1, keep }, [port1])
      workers.push(embedder)
      embedding = { kind: 'port', port: port2 }
    } else {
      embedding = { kind: 'table', url: table.href, keep }
    }
  }
  return {
    endpoint: engine,
    embedding,
    onFailure(listener) {
      for (const worker of workers) {
        worker.addEventListener('error', (event) => listener(event.message || 'it could not be loaded'))
        worker.addEventListener('messageerror', () => listener('a message could not be read'))
      }
    },
    end() {
      for (const worker of workers) worker.terminate()
    },
  }
}

function spawnEngine({ worker }: Assets): Worker {
  if (worker === undefined) return new Worker(new URL('../../worker/index.js', import.meta.url), { type: 'module' })
  return worker instanceof URL ? new Worker(worker, { type: 'module' }) : worker()
}
