/**
 * Worker that loads a model and answers with vectors. An app whose bundler or policy needs its own worker imports only this module in it.
 */
import { RecallError, recallError } from '../core/model/errors.ts'
import type { FromWorker, ToWorker } from './transformers-messages.ts'
import { loadTransformersModel, type ModelSettings, type TransformersModel } from './transformers-model.ts'

let settings: ModelSettings | undefined
let loading: Promise<TransformersModel> | undefined
const running = new Map<number, AbortController>()

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'cancel') running.get(data.id)?.abort()
  else if (data.type === 'embed') void answer(data)
  else {
    settings = data.settings
    // Each waiting call gets the error; it must not be uncaught as well.
    load().catch(() => undefined)
  }
})

/** Loads the model once; after a failure, again. */
function load(): Promise<TransformersModel> {
  if (settings === undefined) return Promise.reject(notLoaded())
  loading ??= loadTransformersModel(settings, (progress) => tell({ type: 'progress', progress })).catch(
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

async function answer({ id, texts, role }: Extract<ToWorker, { readonly type: 'embed' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const model = await load()
    const vectors = await model.embed(texts, role, controller.signal)
    const dimensions = vectors[0]?.length ?? 0
    const packed = new Float32Array(vectors.length * dimensions)
    for (const [i, vector] of vectors.entries()) packed.set(vector, i * dimensions)
    tell({ type: 'made', id, packed }, [packed.buffer])
  } catch (error) {
    tell({ type: 'failed', id, error: detailsOf(error) })
  } finally {
    running.delete(id)
  }
}

function detailsOf(error: unknown) {
  if (error instanceof RecallError) return error.toDetails()
  return recallError('INVALID_CONFIG', `failed: ${error instanceof Error ? error.message : String(error)}`, {
    field: 'embedder.model',
    hint: 'Try another dtype or device.',
  }).toDetails()
}

function notLoaded() {
  return recallError('INVALID_ARGUMENT', 'The worker must load a model before it embeds')
}

function tell(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer: [...transfer] })
}
