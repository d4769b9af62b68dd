/**
 * Makes a failed embedding worker known to the engine. Only the page gets the worker's `error` event, so it sends an `EmbedderEnded`
 * to the engine's worker. Without it every text would wait for its deadline.
 */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import type { EmbeddingPort } from '../../src/protocol/engine-options.ts'

/**
 * Listens from now on: the message may come before the engine opens. Returns a function that wraps the port of the embedding
 * worker. After the failure, waiting and later texts get an error.
 */
export function watchEmbedder(endpoint: Pick<EventTarget, 'addEventListener'>): (port: EmbeddingPort) => EmbeddingPort {
  const waiting = new Set<(error: RecallError) => void>()
  let failure: RecallError | null = null
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<{ readonly embedderEnded?: unknown } | null>
    const problem = data?.embedderEnded
    if (failure !== null || typeof problem !== 'string') return
    failure = ended(problem)
    for (const reject of waiting) reject(failure)
  })
  return (port) => ({
    ...port,
    failure: () => failure,
    embed(texts, role, options) {
      if (failure !== null) return Promise.reject(failure)
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        const work = port.embed(texts, role, options).finally(() => waiting.delete(reject))
        work.then(resolve, reject)
      })
    },
  })
}

function ended(problem: string): RecallError {
  return recallError('INVALID_CONFIG', `The embedding worker failed: ${problem}`, {
    hint: 'Serve dist/worker/embedding.js of the package, then open the store again. Missing vectors follow.',
  })
}
