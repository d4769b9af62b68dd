/**
 * Embeds texts with all-MiniLM-L6-v2, or another converted encoder, in plain WebAssembly: the same bytes in every engine. In a page the
 * model runs in its own worker, elsewhere in this thread in short steps. Nothing is loaded before the first text.
 */
import { recallError } from '../../src/core/model/errors.ts'
import { rememberQueries } from '../../src/embedders/remember-queries.ts'
import type { Embedder } from '../../src/protocol/embedder.ts'
import type { PageWorker } from '../../src/protocol/platform-types.ts'
import { createRunner, type Runner } from './runner.ts'
import { loadModel, type ModelLocation } from './load-model.ts'
import { aborted } from './messages.ts'
import { openWorker } from './open-worker.ts'
import { ownModel } from './own-model.ts'

export interface MinilmOptions {
  /** URL of the file. Default: the file of this package. Of another model than MiniLM, give `sha256` and `dimensions`, too. */
  readonly model?: URL | undefined
  /** SHA-256 of another model's file, in hex; `scrubjay convert-model` prints it. The embedding space is named after it. */
  readonly sha256?: string | undefined
  /** Dimensions of another model; `scrubjay convert-model` prints them. */
  readonly dimensions?: number | undefined
  /** Called while the file is downloaded. */
  readonly onProgress?: ((progress: { readonly loaded: number; readonly total: number | null }) => void) | undefined
  /** Starts the app's own worker, whose module is `scrubjay-minilm/worker`. Default: the package's worker. */
  readonly worker?: (() => PageWorker) | undefined
}

export interface MinilmEmbedder extends Embedder {
  /** Loads the model now instead of at the first text. */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Ends the worker and frees the model. Waiting and later calls reject with `CLOSED`. */
  close(): Promise<void>
}

/** Version of tokenizer and kernel: it changes when any vector of a file changes. */
const arithmetic = 1

/** Deadline of a call (ms): 64 records of 256 tokens on a slow device, or the download before. */
const timeoutMs = 300_000

/** Creates the embedder. Throws `INVALID_CONFIG` for wrong options. `embed` rejects with it if the file cannot be loaded; later calls try again. */
export function minilmEmbedder(options: MinilmOptions = {}): MinilmEmbedder {
  const location = locate(options)
  const { onProgress = () => undefined, worker } = options
  let opening: Runner | undefined
  let isClosed = false
  const open = () => {
    if (isClosed) throw recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' })
    if (opening?.hasEnded() === true) opening = undefined
    opening ??=
      typeof Worker === 'function' && typeof document !== 'undefined'
        ? openWorker(location, onProgress, worker as (() => Worker) | undefined)
        : createRunner(() => loadModel(location, onProgress))
    return opening
  }
  const embed: Embedder['embed'] = (texts, role, { signal } = {}) => open().embed(texts, role, signal)
  const remembered = rememberQueries(embed)
  return {
    space: `minilm:${location.sha256.slice(0, 16)}.${arithmetic}`,
    dimensions: location.dimensions,
    timeoutMs,
    // The model knows English alone.
    inBackground: 'english',
    async embed(texts, role, callOptions) {
      open()
      if (callOptions?.signal?.aborted) throw aborted()
      return texts.length === 0 ? [] : remembered(texts, role, callOptions)
    },
    async load({ signal } = {}) {
      await embed([''], 'query', { signal })
    },
    async close() {
      isClosed = true
      opening?.close()
    },
  }
}

function locate({ model, sha256, dimensions }: MinilmOptions): ModelLocation {
  if (model !== undefined && !(model instanceof URL))
    throw invalid('model', model, 'must be a URL', 'Give new URL("model.bin", import.meta.url), or leave it out.')
  if (sha256 === undefined && dimensions === undefined)
    return { url: model ?? ownModel.url, sha256: ownModel.sha256, dimensions: ownModel.dimensions }
  const hint = 'Give what `scrubjay convert-model` printed for the file.'
  if (model === undefined) throw invalid('model', model, 'must be the URL of the file with this SHA-256', hint)
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw invalid('sha256', sha256, 'must be 64 digits of lower-case hex', hint)
  if (dimensions === undefined || !Number.isInteger(dimensions) || dimensions < 384 || dimensions > 768)
    throw invalid('dimensions', dimensions, 'must be an integer from 384 to 768', hint)
  return { url: model, sha256, dimensions }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: `embedder.${field}`, value, hint })
}
