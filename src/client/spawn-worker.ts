/**
 * Starts the engine's worker and, for the built-in embedder, a second worker that makes vectors. Each URL is written in one
 * expression with `import.meta.url`, because bundlers look for this form.
 * Its URLs are relative to a folder as deep as this one: `dist/src/shared` and `dist/src/standalone` hold them (bundle/build.ts).
 */

import { absoluteHref } from '../protocol/absolute-url.ts'
import type { EmbedderEnded, EmbeddingSource } from '../protocol/engine-host.ts'
import type { Assets } from './api/open-options.ts'
import type { ResolvedOptions } from './link/resolve-options.ts'
import type { StartWorker } from './link/start-refused.ts'
import type { WorkerPort } from './link/worker-link.ts'

/**
 * Starts the workers. An engine's worker that cannot be loaded is reported through `onFailure`, an embedding worker to the engine. One
 * that cannot be created throws the browser's error. `start` calls the function that creates a worker, or creates it in another way.
 */
export function spawnWorker(
  { assets, builtIn, engine: { storage } }: ResolvedOptions,
  start: StartWorker = (make) => make(),
): WorkerPort {
  const { worker } = assets
  // A store in memory must not save the table in the browser either.
  const keep = storage !== 'memory'
  const endpoint = startEngine(worker, start)
  let embedder: Worker | undefined
  let embedding: EmbeddingSource = { kind: 'none' }
  if (builtIn) {
    const table = absoluteHref(builtIn.table ?? new URL('../embedders/minilm-static-128.bin', import.meta.url))
    // Next to the English table; a blob has no folder, but an origin. It is not written with import.meta.url, because it is a file of another package.
    const languages = absoluteHref(builtIn.languages ?? new URL('multi-static-128.bin', table.replace(/^blob:/, '')))
    if (worker === undefined) {
      // It has the same origin as the first worker, so the page allows both or neither.
      embedder = start(() => new Worker(new URL('../../worker/embedding.js', import.meta.url), { type: 'module' }))
      const { port1, port2 } = new MessageChannel()
      embedder.postMessage({ table, languages, port: port1, keep }, [port1])
      // Without it the engine works on, with words alone.
      watch(embedder, (embedderEnded) => endpoint.postMessage({ embedderEnded } satisfies EmbedderEnded))
      embedding = { kind: 'port', port: port2 }
    } else {
      embedding = { kind: 'table', url: table, languages, keep }
    }
  }
  return {
    endpoint,
    embedding,
    onFailure: (listener) => watch(endpoint, listener),
    end() {
      endpoint.terminate()
      embedder?.terminate()
    },
  }
}

function watch(worker: Worker, listener: (problem: string) => void): void {
  for (const type of ['error', 'messageerror'] as const)
    worker.addEventListener(type, (event) => {
      // The listener reports the error, so it must not also be an uncaught error of the page.
      event.preventDefault()
      listener((event as ErrorEvent).message || 'it could not be loaded, or its message read')
    })
}

/** Starts only the engine's worker. */
export function startEngine(worker: Assets['worker'], start: StartWorker = (make) => make()): Worker {
  return typeof worker === 'function' ? worker() : start(makeEngine(worker))
}

function makeEngine(url: URL | undefined): () => Worker {
  if (url) return () => new Worker(url, { type: 'module' })
  return () => new Worker(new URL('../../worker/index.js', import.meta.url), { type: 'module' })
}
