/** Runs the model in a worker. */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import type { ModelLocation } from './load-model.ts'
import { aborted, type FromWorker, type Progress, type ToWorker } from './messages.ts'
import type { Runner } from './runner.ts'

interface Waiting {
  readonly count: number
  readonly resolve: (vectors: Float32Array<ArrayBuffer>[]) => void
  readonly reject: (error: RecallError) => void
}

/** Starts the worker, which loads the model at its first text. If it fails, waiting and later calls reject. */
export function openWorker(
  { url, sha256, dimensions }: ModelLocation,
  onProgress: (progress: Progress) => void,
  start: (() => Worker) | undefined,
): Runner {
  const worker = start ? start() : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
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
    if (data.type === 'made') call?.resolve(split(data.packed, call.count))
    else call?.reject(new RecallError(data.error))
  })
  tell({ type: 'load', url: url.href, sha256, dimensions })

  return {
    hasEnded: () => ended !== undefined,
    embed(texts, role, signal) {
      if (ended) return Promise.reject(ended)
      lastId += 1
      const id = lastId
      const onAbort = () => {
        tell({ type: 'cancel', id })
        waiting.get(id)?.reject(aborted())
        waiting.delete(id)
      }
      return new Promise<Float32Array<ArrayBuffer>[]>((resolve, reject) => {
        waiting.set(id, { count: texts.length, resolve, reject })
        signal?.addEventListener('abort', onAbort)
        tell({ type: 'embed', id, texts, role })
        if (signal?.aborted) onAbort()
      }).finally(() => signal?.removeEventListener('abort', onAbort))
    },
    close: () => end(recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' })),
  }
}

function split(packed: Float32Array<ArrayBuffer>, count: number): Float32Array<ArrayBuffer>[] {
  const dimensions = packed.length / count
  return Array.from({ length: count }, (_, i) => packed.slice(i * dimensions, (i + 1) * dimensions))
}

function died(problem: string): RecallError {
  return recallError('INVALID_CONFIG', `must be a worker that runs, but it failed: ${problem}`, {
    field: 'embedder.worker',
    hint: 'Serve worker.js of scrubjay-minilm and allow it in worker-src, or start the worker yourself with the option worker.',
  })
}
