/**
 * Loads a model of transformers.js in this thread and runs it on one batch at a time. Queries go before documents, so that a query does
 * not wait for an import. The embedder and its worker both use this file.
 */
import { recallError } from '../core/model/errors.ts'
import type { TransformersLibrary } from './transformers-library.ts'

export type Dtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16'
export type Device = 'auto' | 'wasm' | 'webgpu' | 'cpu'

/** Settings of a model, as plain data for the worker. */
export interface ModelSettings {
  readonly model: string
  readonly revision: string
  readonly dtype: Dtype
  readonly device: Device
  readonly pooling: 'mean' | 'cls'
  readonly prefixes: { readonly query: string; readonly document: string }
  readonly dimensions: number
  /** null: one text at a time, 16 on WebGPU. */
  readonly batchSize: number | null
  /** URL of the library's module; null: the bundler or Node resolves its name. */
  readonly library: string | null
  /** Folder of models; null: the library's own sources. */
  readonly modelPath: string | null
  /** Folder of the ONNX runtime's wasm files; null: the library's own source. */
  readonly wasmPath: string | null
}

export interface LoadProgress {
  /** Bytes of the model's files that are loaded. */
  readonly loaded: number
  /** Bytes of all files that are known so far. */
  readonly total: number
}

export interface TransformersModel {
  /** Returns unit vectors in the order of the texts. An abort rejects at once; the running batch is still finished. */
  embed(texts: readonly string[], role: 'query' | 'document', signal?: AbortSignal): Promise<Float32Array[]>
  /** Frees the memory of the model. */
  close(): Promise<void>
}

/** Loads the model. Rejects with `INVALID_CONFIG` if library or model cannot be loaded. */
export async function loadTransformersModel(
  settings: ModelSettings,
  onProgress: (progress: LoadProgress) => void,
): Promise<TransformersModel> {
  const library = await importLibrary(settings.library)
  configure(library, settings)
  const device = await chooseDevice(settings)
  const extractor = await openPipeline(library, settings, device, onProgress)
  const batchSize = settings.batchSize ?? (device === 'webgpu' ? gpuBatch : 1)
  const run = createTurns(async (texts, role) => {
    const tensor: Partial<Awaited<ReturnType<typeof extractor>>> | undefined = await extractor(
      texts.map((text) => settings.prefixes[role] + text),
      { pooling: settings.pooling, normalize: true },
    )
    return unpack(tensor?.dims, tensor?.data, texts.length, settings)
  }, batchSize)
  return {
    embed: run,
    async close() {
      await extractor.dispose()
    },
  }
}

/**
 * Number of texts per call of the model on WebGPU. CPUs get one: batches are padded to their longest text and save no time, and an int8
 * model scales by the whole batch, so a vector would depend on the other texts.
 */
const gpuBatch = 16

async function importLibrary(url: string | null): Promise<TransformersLibrary> {
  try {
    if (url !== null) return (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as TransformersLibrary
    // A literal name in a `try`: bundlers find an installed library, and continue without one.
    // @ts-ignore -- an optional package, which may not be installed.
    return (await import('@huggingface/transformers')) as TransformersLibrary
  } catch (error) {
    throw recallError('INVALID_CONFIG', `must lead to transformers.js, which cannot be loaded: ${messageOf(error)}`, {
      field: 'embedder.library',
      value: url,
      hint: 'Install @huggingface/transformers, or give the URL of its module as library.',
    })
  }
}

/** Changes only the given settings, because in Node the app shares the library's settings. */
function configure({ env }: TransformersLibrary, { modelPath, wasmPath }: ModelSettings): void {
  if (modelPath !== null) {
    // An HTTP folder must be remote for the library: as a local folder it finds only some of the model's files.
    const isRemote = /^https?:/.test(modelPath)
    env.allowLocalModels = !isRemote
    env.allowRemoteModels = isRemote
    if (isRemote) {
      env.remoteHost = modelPath
      env.remotePathTemplate = '{model}/'
    } else env.localModelPath = modelPath
  }
  if (wasmPath !== null && env.backends.onnx.wasm) env.backends.onnx.wasm.wasmPaths = wasmPath
}

/** `auto` uses the GPU only for weights that it computes with; int8 weights would be copied back and forth. */
async function chooseDevice({ device, dtype }: ModelSettings): Promise<Exclude<Device, 'auto'>> {
  if (device !== 'auto') return device
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
  if (process?.versions?.node !== undefined) return 'cpu'
  if (!gpuDtypes.has(dtype)) return 'wasm'
  const { gpu } = navigator as { readonly gpu?: { requestAdapter(): Promise<object | null> } }
  const adapter = await gpu?.requestAdapter().catch(() => null)
  return adapter ? 'webgpu' : 'wasm'
}

const gpuDtypes: ReadonlySet<Dtype> = new Set(['fp32', 'fp16', 'q4', 'q4f16'])

async function openPipeline(
  library: TransformersLibrary,
  { model, dtype, revision }: ModelSettings,
  device: string,
  onProgress: (progress: LoadProgress) => void,
) {
  try {
    return await library.pipeline('feature-extraction', model, {
      dtype,
      revision,
      device,
      progress_callback({ status, loaded, total }) {
        if (status === 'progress_total' && loaded !== undefined && total !== undefined) onProgress({ loaded, total })
      },
    })
  } catch (error) {
    throw recallError('INVALID_CONFIG', `must name a model that can be loaded: ${messageOf(error)}`, {
      field: 'embedder.model',
      value: model,
      hint: 'Check the name, revision and dtype, and that its files can be fetched.',
    })
  }
}

function unpack(
  dims: readonly number[] | undefined,
  data: ArrayLike<number> | undefined,
  count: number,
  { model, dimensions }: ModelSettings,
): Float32Array[] {
  const [rows, width] = dims ?? []
  if (dims === undefined || data === undefined || data.length !== (rows ?? 0) * (width ?? 0)) {
    throw recallError('INVALID_CONFIG', `must be one whose answers are tensors, but ${model} gave something else`, {
      field: 'embedder.model',
      value: model,
      hint: 'Name a model for feature extraction, and use a release of transformers.js that has it.',
    })
  }
  if (dims.length !== 2 || rows !== count || width !== dimensions) {
    throw recallError('DIMENSION_MISMATCH', `must be ${width}, the length of the vectors of ${model}`, {
      field: 'embedder.dimensions',
      value: dimensions,
      hint: `Give dimensions: ${width}.`,
    })
  }
  return Array.from({ length: count }, (_, i) =>
    Float32Array.from({ length: dimensions }, (__, j) => data[i * dimensions + j]!),
  )
}

interface Job {
  readonly texts: readonly string[]
  readonly role: 'query' | 'document'
  readonly vectors: Float32Array[]
  readonly resolve: (vectors: Float32Array[]) => void
  readonly reject: (error: unknown) => void
}

type RunBatch = (texts: readonly string[], role: 'query' | 'document') => Promise<readonly Float32Array[]>

/** Runs one batch at a time. Batches of queries go first. */
function createTurns(runBatch: RunBatch, batchSize: number): TransformersModel['embed'] {
  const jobs: Job[] = []
  let isRunning = false

  const work = async () => {
    isRunning = true
    for (;;) {
      const job = jobs.find(({ role }) => role === 'query') ?? jobs[0]
      if (job === undefined) break
      try {
        const from = job.vectors.length
        job.vectors.push(...(await runBatch(job.texts.slice(from, from + batchSize), job.role)))
        if (job.vectors.length < job.texts.length) continue
        job.resolve(job.vectors)
      } catch (error) {
        job.reject(error)
      }
      drop(job)
    }
    isRunning = false
  }
  const drop = (job: Job) => {
    const at = jobs.indexOf(job)
    if (at >= 0) jobs.splice(at, 1)
  }

  return (texts, role, signal) => {
    if (signal?.aborted) return Promise.reject(embeddingAborted())
    if (texts.length === 0) return Promise.resolve([])
    let job: Job | undefined
    const onAbort = () => {
      if (job) drop(job)
      job?.reject(embeddingAborted())
    }
    return new Promise<Float32Array[]>((resolve, reject) => {
      job = { texts, role, vectors: [], resolve, reject }
      jobs.push(job)
      signal?.addEventListener('abort', onAbort)
      if (!isRunning) void work()
    }).finally(() => signal?.removeEventListener('abort', onAbort))
  }
}

export function embeddingAborted() {
  return recallError('ABORTED', 'The signal aborted the embedding')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
