/** Runs a model in a worker behind the interface of a local model. Loaded if the platform has workers. */
import { RecallError, recallError } from '../core/model/errors.ts'
import type { FromWorker, ToWorker } from './transformers-messages.ts'
import {
  embeddingAborted,
  type LoadProgress,
  type ModelSettings,
  type TransformersModel,
} from './transformers-model.ts'

interface Waiting {
  readonly count: number
  readonly resolve: (vectors: Float32Array[]) => void
  readonly reject: (error: RecallError) => void
}

/** Starts the worker, which loads the model. If it fails, waiting and later calls reject. */
export function openTransformersWorker(
  settings: ModelSettings,
  onProgress: (progress: LoadProgress) => void,
  start: (() => Worker) | undefined,
): TransformersModel {
  const worker = start
    ? start()
    : new Worker(new URL('../embedders/transformers-worker.js', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let ended: RecallError | undefined

  const end = (error: RecallError) => {
    ended ??= error
    worker.terminate()
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const tell = (message: ToWorker) => worker.postMessage(message)

  worker.addEventListener('error', (event) => end(died(event.message || 'it could not be loaded')))
  worker.addEventListener('messageerror', () => end(died('a message could not be read')))
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'progress') return onProgress(data.progress)
    const call = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.type === 'made') call?.resolve(unpack(data.packed, call.count))
    else call?.reject(new RecallError(data.error))
  })
  tell({ type: 'load', settings })

  return {
    embed(texts, role, signal) {
      if (ended) return Promise.reject(ended)
      if (signal?.aborted) return Promise.reject(embeddingAborted())
      if (texts.length === 0) return Promise.resolve([])
      lastId += 1
      const id = lastId
      const onAbort = () => {
        tell({ type: 'cancel', id })
        waiting.get(id)?.reject(embeddingAborted())
        waiting.delete(id)
      }
      return new Promise<Float32Array[]>((resolve, reject) => {
        waiting.set(id, { count: texts.length, resolve, reject })
        signal?.addEventListener('abort', onAbort)
        tell({ type: 'embed', id, texts, role })
      }).finally(() => signal?.removeEventListener('abort', onAbort))
    },
    async close() {
      end(recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' }))
    },
  }
}

function unpack(packed: Float32Array, count: number): Float32Array[] {
  const dimensions = packed.length / count
  return Array.from({ length: count }, (_, i) => packed.slice(i * dimensions, (i + 1) * dimensions))
}

function died(problem: string): RecallError {
  return recallError('INVALID_CONFIG', `must be a worker that runs, but it failed: ${problem}`, {
    field: 'embedder.worker',
    hint: 'Serve the package’s transformers-worker.js and allow it in worker-src, or start the worker yourself with the option worker.',
  })
}
