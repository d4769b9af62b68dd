/** The worker of the page: loads the model and answers with vectors. */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import { loadModel, type ModelLocation } from './load-model.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { createRunner } from './runner.ts'

let location: ModelLocation | undefined
const calls = new Map<number, AbortController>()
const runner = createRunner(() => loadModel(location!, (progress) => tell({ type: 'progress', progress })))

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'cancel') calls.get(data.id)?.abort()
  else if (data.type === 'embed') void answer(data)
  else location = { url: new URL(data.url), sha256: data.sha256, dimensions: data.dimensions }
})

async function answer({ id, texts, role }: Extract<ToWorker, { readonly type: 'embed' }>): Promise<void> {
  const call = new AbortController()
  calls.set(id, call)
  try {
    const vectors = await runner.embed(texts, role, call.signal)
    const dimensions = vectors[0]?.length ?? 0
    const packed = new Float32Array(vectors.length * dimensions)
    for (const [i, vector] of vectors.entries()) packed.set(vector, i * dimensions)
    tell({ type: 'made', id, packed }, [packed.buffer])
  } catch (error) {
    tell({ type: 'failed', id, error: detailsOf(error) })
  } finally {
    calls.delete(id)
  }
}

function detailsOf(error: unknown) {
  const problem =
    error instanceof RecallError
      ? error
      : recallError('INVALID_CONFIG', `failed: ${String(error)}`, {
          field: 'embedder.model',
          hint: 'Allow wasm-unsafe-eval in script-src of the page’s policy, or use another embedder.',
        })
  return problem.toDetails()
}

function tell(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer: [...transfer] })
}
