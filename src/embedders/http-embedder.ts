/**
 * Embeds texts with a server that has OpenAI's embeddings API: `POST { model, input }` → `{ data: [{ index, embedding }] }`.
 * The key is read for each request and only sent in its header; errors and properties never contain it.
 */
import { recallError } from '../core/model/errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import { rememberQueries } from './remember-queries.ts'
import { type RequestSettings, requestEmbeddings } from './request-embeddings.ts'
import { serverUrl } from './server-url.ts'

export interface HttpEmbedderOptions {
  /** URL of the endpoint, for example `https://api.openai.com/v1/embeddings`. */
  readonly url: string | URL
  /** Name of the model, as the server knows it. */
  readonly model: string
  /** Length of each vector: an integer from 1 to 4096. */
  readonly dimensions: number
  /** Sent as `Authorization: Bearer …`. A function is called before each request, so that the embedder does not keep the key. */
  readonly key?: string | (() => string | Promise<string>) | undefined
  /** Additional headers, for servers that take the key in another header. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Returns additional fields of the body by role, for example `{ dimensions: 256 }` or `{ input_type: 'query' }`. Default: none. */
  readonly body?: ((role: 'query' | 'document') => Readonly<Record<string, unknown>>) | undefined
  /** Prepended to each text, by role. Default: empty. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  /** Name of the embedding space. Default: host, model and dimensions. Set it if two servers return the same vectors. */
  readonly space?: string | undefined
  /** Maximum number of texts of one request, 1 to 4,096. Default 64. */
  readonly batchSize?: number | undefined
  /** Deadline of one request (ms). Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of attempts of a request, 1 to 20. Only status 429, 5xx and network errors are repeated. Default 4. */
  readonly attempts?: number | undefined
  /** Wait before the second attempt (ms). It doubles each time, and a random part of up to half is subtracted. Default 500. */
  readonly backoffMs?: number | undefined
  /** Longest wait between two attempts (ms). A longer `Retry-After` ends the attempts. Default 60,000. */
  readonly maxWaitMs?: number | undefined
}

/**
 * Creates an embedder that calls a server. Throws `INVALID_CONFIG` for wrong options. `embed` rejects with `INVALID_CONFIG` if the server
 * refuses or its answer has another form, `DIMENSION_MISMATCH` for vectors of another length, `DEADLINE_EXCEEDED` after the timeout or the
 * last attempt, or `ABORTED`.
 */
export function httpEmbedder(options: HttpEmbedderOptions): Embedder {
  const settings = resolveSettings(options)
  const { url, model, dimensions, prefixes, batchSize } = settings
  const embed: Embedder['embed'] = async (texts, role, { signal } = {}) => {
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = texts.slice(from, from + batchSize).map((text) => prefixes[role] + text)
      vectors.push(...(await requestEmbeddings(settings, batch, role, signal)))
    }
    return vectors
  }
  return { space: options.space ?? `${url.host} ${model} ${dimensions}`, dimensions, embed: rememberQueries(embed) }
}

interface Settings extends RequestSettings {
  readonly prefixes: { readonly query: string; readonly document: string }
  readonly batchSize: number
}

function resolveSettings(options: HttpEmbedderOptions): Settings {
  const { key, model } = options
  if (typeof model !== 'string' || model.trim() === '')
    throw invalid('model', 'must be a string that is not blank', 'Give the name of the server’s model.')
  if (key !== undefined && typeof key !== 'string' && typeof key !== 'function') {
    throw invalid('key', 'must be a string or a function', 'Give the key, or a function that returns it.')
  }
  return {
    url: serverUrl(options.url, 'embedder.url'),
    model,
    key: async () => (typeof key === 'function' ? key() : key),
    headers: options.headers ?? {},
    body: options.body ?? (() => ({})),
    prefixes: options.prefixes ?? { query: '', document: '' },
    dimensions: checkInteger('dimensions', options.dimensions, tuning.maxDimensions),
    batchSize: checkInteger('batchSize', options.batchSize ?? 64, 4096),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 30_000, 3_600_000),
    attempts: checkInteger('attempts', options.attempts ?? 4, 20),
    backoffMs: checkInteger('backoffMs', options.backoffMs ?? 500, 3_600_000),
    maxWaitMs: checkInteger('maxWaitMs', options.maxWaitMs ?? 60_000, 3_600_000),
  }
}

function checkInteger(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw recallError('INVALID_CONFIG', `must be an integer from 1 to ${max}`, {
    field: `embedder.${field}`,
    value,
    hint: 'Give an integer in this range.',
  })
}

function invalid(field: string, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: `embedder.${field}`, hint })
}
