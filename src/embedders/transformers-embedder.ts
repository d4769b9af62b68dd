/**
 * Embeds texts with a model of transformers.js, which the app installs itself. In a page the model runs in its own worker, in Node in this
 * process. Nothing is loaded before the first text.
 */
import { RecallError, recallError } from '../core/model/errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import type { PageWorker } from '../protocol/platform-types.ts'
import { findModelShape, type ModelShape } from './known-models.ts'
import { rememberQueries } from './remember-queries.ts'
import {
  type Device,
  type Dtype,
  embeddingAborted,
  type LoadProgress,
  type ModelSettings,
  type TransformersModel,
} from './transformers-model.ts'

export type { Device, Dtype, LoadProgress } from './transformers-model.ts'

export interface TransformersEmbedderOptions {
  /** Name of a model with ONNX files, for example `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string
  /** Length of each vector, 1 to 4096. Required for models that are not in known-models.ts. Checked with the first vector. */
  readonly dimensions?: number | undefined
  /** How token vectors become one vector. Default: as the model was trained; `mean` for unknown models. */
  readonly pooling?: 'mean' | 'cls' | undefined
  /** Prepended to each text, by role. Default: as the model was trained; empty for unknown models. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  /** Revision of the model. Set a commit if vectors must stay comparable. Default `main`. */
  readonly revision?: string | undefined
  /** Precision of the weights. Default `q8`, which needs a quarter of the bytes of `fp32`. */
  readonly dtype?: Dtype | undefined
  /**
   * Where the model runs. `auto` uses WebGPU if it is available and the weights are not int8, otherwise WebAssembly; in Node the CPU.
   * Vectors of different devices differ in the last bits. Default `auto`.
   */
  readonly device?: Device | undefined
  /** Number of texts per call of the model. With int8 weights and more than 1, vectors depend on their batch. Default 1; 16 on WebGPU. */
  readonly batchSize?: number | undefined
  /** Name of the embedding space. Default: model, revision, dtype, pooling and prefixes, all of which change vectors. */
  readonly space?: string | undefined
  /** Called while the model's files are loaded. The browser's cache keeps the files; in Node the library's folder. */
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** URL of the library's module, for pages without a bundler. Default: the bundled or installed module. */
  readonly library?: URL | undefined
  /** Folder of models with `MODEL/config.json`, `MODEL/onnx/…`; models are then loaded only from there. A URL, in Node also a path. */
  readonly modelPath?: string | URL | undefined
  /** Folder of the ONNX runtime’s wasm files. Default: the library loads them from a CDN. */
  readonly wasmPath?: string | URL | undefined
  /** Starts the app's own worker, which imports `scrubjay/embedders/transformers-worker`. Default: the package's worker. */
  readonly worker?: (() => PageWorker) | undefined
}

export interface TransformersEmbedder extends Embedder {
  /** Loads the model now instead of at the first text. */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Ends the worker, or frees the model, for which it waits at most 5 s. Waiting and later calls reject with `CLOSED`. */
  close(): Promise<void>
}

/** Creates the embedder. Throws `INVALID_CONFIG` for wrong options. `embed` rejects with it if library or model cannot be loaded; later calls try again. */
export function transformersEmbedder(options: TransformersEmbedderOptions): TransformersEmbedder {
  const settings = resolveSettings(options)
  const { dimensions } = settings
  let opening: Promise<TransformersModel> | undefined
  const closing = new AbortController()

  const open = () => {
    opening ??= openModel(settings, options).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const embed: Embedder['embed'] = async (texts, role, { signal } = {}) => {
    const model = await orEnded(open(), signal, closing.signal)
    try {
      return await orEnded(model.embed(texts, role, signal), signal, closing.signal)
    } catch (error) {
      if (isWorkerDead(error)) opening = undefined
      throw error
    }
  }
  const remembered = rememberQueries(embed)
  return {
    space: options.space ?? nameSpace(settings),
    dimensions,
    async embed(texts, role, callOptions) {
      if (closing.signal.aborted) throw closed()
      if (callOptions?.signal?.aborted) throw embeddingAborted()
      return texts.length === 0 ? [] : remembered(texts, role, callOptions)
    },
    async load({ signal } = {}) {
      if (closing.signal.aborted) throw closed()
      await embed(['load'], 'query', { signal })
    },
    async close() {
      closing.abort()
      const free = async () => (await opening?.catch(() => undefined))?.close()
      // A model that loads for longer is freed when it has loaded.
      await withinMs(free(), mostCloseMs)
    },
  }
}

async function openModel(
  settings: ModelSettings,
  { onProgress, worker }: TransformersEmbedderOptions,
): Promise<TransformersModel> {
  const report = (progress: LoadProgress) => onProgress?.(progress)
  if (settings.device !== 'cpu' && typeof Worker === 'function') {
    const { openTransformersWorker } = await import('./open-transformers-worker.ts')
    return openTransformersWorker(settings, report, worker)
  }
  const { loadTransformersModel } = await import('./transformers-model.ts')
  return loadTransformersModel(settings, report)
}

/** Whether the worker has failed. The next call then starts another one. */
function isWorkerDead(error: unknown): boolean {
  return error instanceof RecallError && error.field === 'embedder.worker'
}

/** Settles like the work, or rejects when the caller aborts or the embedder closes. */
function orEnded<T>(work: Promise<T>, signal: AbortSignal | undefined, closing: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', onAbort)
      closing.removeEventListener('abort', onClose)
      settle()
    }
    const onAbort = () => end(() => reject(embeddingAborted()))
    const onClose = () => end(() => reject(closed()))
    signal?.addEventListener('abort', onAbort)
    closing.addEventListener('abort', onClose)
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error as Error)),
    )
    if (signal?.aborted) onAbort()
    if (closing.aborted) onClose()
  })
}

/** Longest wait of `close` (ms) for a model that loads or is freed. */
const mostCloseMs = 5_000

/** Resolves when the work ends, or after the time. */
async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function resolveSettings(options: TransformersEmbedderOptions): ModelSettings {
  const { model, batchSize } = options
  if (typeof model !== 'string' || model.trim() === '') {
    throw invalid(
      'model',
      model,
      'must be a string that is not blank',
      'Name a model, for example "Xenova/all-MiniLM-L6-v2".',
    )
  }
  const shape: Partial<ModelShape> = findModelShape(model) ?? {}
  const dimensions = options.dimensions ?? shape.dimensions
  if (
    dimensions === undefined ||
    !Number.isInteger(dimensions) ||
    dimensions < 1 ||
    dimensions > tuning.maxDimensions
  ) {
    const problem = `must be an integer from 1 to ${tuning.maxDimensions}`
    throw invalid('dimensions', dimensions, problem, 'Give hidden_size of the model’s config.json.')
  }
  if (batchSize !== undefined && (!Number.isInteger(batchSize) || batchSize < 1)) {
    throw invalid(
      'batchSize',
      batchSize,
      'must be an integer of at least 1',
      'Give a positive integer, or leave it out.',
    )
  }
  return {
    model,
    dimensions,
    revision: options.revision ?? 'main',
    dtype: options.dtype ?? 'q8',
    device: options.device ?? 'auto',
    pooling: options.pooling ?? shape.pooling ?? 'mean',
    prefixes: options.prefixes ?? shape.prefixes ?? { query: '', document: '' },
    batchSize: batchSize ?? null,
    library: options.library?.href ?? null,
    modelPath: folderOf(options.modelPath),
    wasmPath: folderOf(options.wasmPath),
  }
}

/** Adds the final slash that the library needs. In Node the library takes paths instead of file URLs. */
function folderOf(folder: string | URL | undefined): string | null {
  if (folder === undefined) return null
  const text =
    folder instanceof URL ? (folder.protocol === 'file:' ? decodeURIComponent(folder.pathname) : folder.href) : folder
  return text.endsWith('/') ? text : `${text}/`
}

function nameSpace({ model, revision, dtype, pooling, prefixes }: ModelSettings): string {
  const { query, document } = prefixes
  const suffix = query === '' && document === '' ? '' : ` ${JSON.stringify([query, document])}`
  return `${model}@${revision} ${dtype} ${pooling}${suffix}`
}

function closed() {
  return recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' })
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: `embedder.${field}`, value, hint })
}
