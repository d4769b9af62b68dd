/**
 * Embeds texts with the model of the browser, through its proposed interface `SemanticEmbedder`: nothing is downloaded by the app, and no
 * text leaves the device. Falls back to the table of the package, and says why.
 */
import { recallError } from '../core/model/errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import type { SemanticModel, SemanticModels, SemanticResult } from './semantic-interface.ts'
import { staticEmbedder } from './static-embedder.ts'

export interface SemanticEmbedderOptions {
  /**
   * True: lets the browser download its model if it is not on the device, which takes minutes the first time; browsers ask for a click
   * before. False: the model is used only if it is there. Default false.
   */
  readonly download?: boolean | undefined
  /** Called with the part that is downloaded, 0 to 1. */
  readonly onProgress?: ((loaded: number) => void) | undefined
  /** `table`: uses `staticEmbedder` if the browser's model cannot be used. `reject`: rejects with `INVALID_CONFIG`. Default `table`. */
  readonly fallback?: 'table' | 'reject' | undefined
  /** URL of the table to fall back to. Default: the file of the package. */
  readonly table?: URL | undefined
  /** Ends the wait for the download. */
  readonly signal?: AbortSignal | undefined
  /** The interface, for example that of a polyfill. Default: `SemanticEmbedder` of the page. */
  readonly models?: SemanticModels | undefined
}

export interface SemanticEmbedder extends Embedder {
  /** `browser`: the browser's model. `table`: the table of the package; `degraded` says why. */
  readonly source: 'browser' | 'table'
  readonly degraded: readonly string[]
  /** Frees the browser's model. Later calls reject with `CLOSED`. */
  close(): void
}

/**
 * Resolves to an embedder for `openRecall`. Its space has the id that the browser gives its embedding space, so that vectors of two models
 * are never compared; a browser that gives none is not used. Rejects with `INVALID_CONFIG` for wrong options, and with the signal's reason.
 */
export async function semanticEmbedder(options: SemanticEmbedderOptions = {}): Promise<SemanticEmbedder> {
  checkOptions(options)
  const { fallback = 'table', signal, table } = options
  signal?.throwIfAborted()
  try {
    return await openModel(options)
  } catch (error) {
    signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message || error.name : String(error)
    if (fallback === 'reject') {
      throw recallError('INVALID_CONFIG', `must find a model of the browser: ${reason}`, {
        field: 'embedder',
        hint: 'Leave out `fallback` to use the table of the package, or use another embedder.',
      })
    }
    const own = staticEmbedder({ table })
    return Object.assign(own, {
      source: 'table' as const,
      degraded: [`The embedder is the table of the package, not the model of the browser: ${reason}`],
      close: () => undefined,
    })
  }
}

async function openModel(options: SemanticEmbedderOptions): Promise<SemanticEmbedder> {
  const { download = false, onProgress, signal } = options
  const models = options.models ?? (globalThis as { readonly SemanticEmbedder?: SemanticModels }).SemanticEmbedder
  if (models === undefined) throw new Error('this browser has no SemanticEmbedder')
  const availability = await answered(models.availability(), 'availability()', availabilityMs, signal)
  if (availability !== 'available' && !(download && downloads.has(availability))) {
    throw new Error(missing[availability] ?? missing['unavailable'])
  }
  const creating = models.create({
    signal,
    monitor: (events) => events.addEventListener('downloadprogress', (event) => onProgress?.(loadedOf(event))),
  })
  // A download takes as long as it takes; the signal ends the wait.
  const deadlineMs = availability === 'available' ? timeoutMs : null
  const model = await answered(creating, 'create()', deadlineMs, signal).catch((error: unknown) => {
    // A model that comes later has no user.
    void creating.then((late) => late.destroy?.()).catch(() => undefined)
    throw error
  })
  try {
    // Only an answer says which space the vectors belong to, and how long they are.
    const first = model.embed([probe], { taskType: 'retrieval-document', signal })
    return embedderOver(model, shapeOf(await answered(first, 'embed()', timeoutMs, signal)))
  } catch (error) {
    model.destroy?.()
    throw error
  }
}

/** Settles like the answer of the browser or of a polyfill, or rejects at the deadline (ms; null: none) or when the signal aborts. */
async function answered<T>(
  answer: Promise<T>,
  name: string,
  deadlineMs: number | null,
  signal: AbortSignal | undefined,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort = () => {}
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason as Error)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    if (deadlineMs === null) return
    timer = setTimeout(() => reject(new Error(`its ${name} gave no answer within ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    return await Promise.race([answer, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const downloads: ReadonlySet<string> = new Set(['downloadable', 'downloading'])
const missing: Readonly<Record<string, string>> = {
  downloadable: 'its model is not downloaded; call semanticEmbedder({ download: true }) after a click',
  downloading: 'its model is being downloaded; open the store again afterwards',
  unavailable: 'it has no model for this device',
}
const probe = 'The jay hides acorns.'

function loadedOf(event: Event): number {
  const { loaded } = event as ProgressEvent
  return typeof loaded === 'number' ? loaded : 0
}

interface Shape {
  readonly id: string
  readonly dimensions: number
}

function shapeOf(result: Partial<SemanticResult> | undefined): Shape {
  const id = result?.metadata?.embeddingSpace
  const dimensions = result?.embeddings?.[0]?.values?.length ?? 0
  if (typeof id !== 'string' || id.trim() === '') throw new Error('it does not name its embedding space')
  if (dimensions < 1 || dimensions > tuning.maxDimensions)
    throw new Error(`its vectors must have 1 to ${tuning.maxDimensions} numbers, but have ${dimensions}`)
  return { id, dimensions }
}

function embedderOver(model: SemanticModel, { id, dimensions }: Shape): SemanticEmbedder {
  let isClosed = false
  const embedBatch = async (texts: readonly string[], role: 'query' | 'document', signal: AbortSignal | undefined) => {
    if (isClosed) throw recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' })
    const taskType = role === 'query' ? 'retrieval-query' : 'retrieval-document'
    const result: Partial<SemanticResult> | undefined = await model.embed([...texts], { taskType, signal })
    const now = result?.metadata?.embeddingSpace
    const embeddings = result?.embeddings
    if (now === id && embeddings?.length === texts.length) return embeddings.map((one) => one?.values)
    // In a longer list, the vectors of later texts would be those of others.
    if (now === id) throw wrongCount(texts.length, embeddings?.length)
    throw recallError('SPACE_MISMATCH', `must have the space ${id}, but the browser now has ${String(now)}`, {
      field: 'embedder.space',
      value: now,
      hint: 'Create the embedder and open the store again, then call reembed().',
    })
  }
  const embedOne = async (text: string, role: 'query' | 'document', signal: AbortSignal | undefined) => {
    for (let part = text; ; part = firstHalf(part)) {
      try {
        return (await embedBatch([part], role, signal))[0]!
      } catch (error) {
        if (!isTooLong(error) || part.length < shortestCut) throw error
      }
    }
  }
  return {
    source: 'browser',
    degraded: [],
    space: `SemanticEmbedder ${id}`,
    dimensions,
    timeoutMs,
    async embed(texts, role, { signal } = {}) {
      signal?.throwIfAborted()
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += batchTexts) {
        const batch = texts.slice(from, from + batchTexts)
        try {
          vectors.push(...(await embedBatch(batch, role, signal)))
        } catch (error) {
          if (!isTooLong(error)) throw error
          // One text of the batch is too long; each is embedded alone, and a text that is too long by its beginning.
          for (const text of batch) vectors.push(await embedOne(text, role, signal))
        }
      }
      return vectors
    },
    close() {
      isClosed = true
      model.destroy?.()
    },
  }
}

function wrongCount(texts: number, embeddings: number | undefined) {
  return recallError(
    'INVALID_CONFIG',
    `must find a model that makes ${texts} vectors of ${texts} texts, got ${embeddings}`,
    {
      field: 'embedder',
      hint: 'Use another embedder, or update the polyfill.',
    },
  )
}

/** Deadline of the question whether there is a model (ms). */
const availabilityMs = 10_000
/** A model of 300 million weights needs up to a second for a text on a slow device. */
const timeoutMs = 60_000
/** Few texts, so that an abort takes effect soon. */
const batchTexts = 16
/** Shorter texts fit every model; a refusal has another cause. */
const shortestCut = 64

function isTooLong(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null)?.name === 'QuotaExceededError'
}

/** Keeps pairs of surrogates whole. */
function firstHalf(text: string): string {
  return [...text].slice(0, Math.ceil([...text].length / 2)).join('')
}

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw invalid('options', options, 'must be an object')
  for (const [key, value] of Object.entries(options)) {
    const isRight = checks.get(key)
    if (isRight === undefined) throw invalid(key, value, `must be one of ${[...checks.keys()].join(', ')}`)
    if (value !== undefined && !isRight(value)) throw invalid(key, value, rules[key] ?? 'must have the right type')
  }
}

const isFunction = (value: unknown) => typeof value === 'function'

const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  keyof SemanticEmbedderOptions,
  (value: unknown) => boolean
>([
  ['download', (value) => typeof value === 'boolean'],
  ['onProgress', isFunction],
  ['fallback', (value) => value === 'table' || value === 'reject'],
  ['table', (value) => value instanceof URL],
  ['signal', (value) => value instanceof AbortSignal],
  [
    'models',
    (value) =>
      isFunction((value as SemanticModels | null)?.availability) && isFunction((value as SemanticModels).create),
  ],
])

const rules: Readonly<Record<string, string>> = {
  download: 'must be true or false',
  onProgress: 'must be a function',
  fallback: 'must be "table" or "reject"',
  table: 'must be a URL',
  signal: 'must be an AbortSignal',
  models: 'must have the functions availability and create',
}

function invalid(key: string, value: unknown, problem: string) {
  const field = key === 'options' ? 'embedder' : `embedder.${key}`
  return recallError('INVALID_CONFIG', problem, { field, value, hint: 'See SemanticEmbedderOptions.' })
}
