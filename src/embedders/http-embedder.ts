/**
 * Text to vectors by a server that speaks OpenAI's embeddings API: `POST { model, input }` →
 * `{ data: [{ index, embedding }] }`. The key goes into one header of each request and nowhere else: it is asked for
 * anew, kept in no error and in no property.
 */
import { recallError } from '../core/model/errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import { rememberQueries } from './remember-queries.ts'
import { type RequestSettings, requestEmbeddings } from './request-embeddings.ts'

export interface HttpEmbedderOptions {
  /** The endpoint itself, for example `https://api.openai.com/v1/embeddings`. */
  readonly url: string | URL
  readonly model: string
  /** Numbers of a vector. */
  readonly dimensions: number
  /** Sent as `Authorization: Bearer …`. A function is asked before each request, so that nothing here keeps the key. */
  readonly key?: string | (() => string | Promise<string>) | undefined
  /** Further headers, for servers that want their key elsewhere. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Further fields of the body by role, for example `{ dimensions: 256 }` or `{ input_type: 'query' }`. */
  readonly body?: ((role: 'query' | 'document') => Readonly<Record<string, unknown>>) | undefined
  /** Put before each text. Default: nothing. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  /** Default: host, model and dimensions. Name it where two servers give the same vectors. */
  readonly space?: string | undefined
  /** Texts of one request. Default 64. */
  readonly batchSize?: number | undefined
  /** ms one request may take. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Times a request is sent before it is given up, on 429, 5xx and network errors only. Default 4. */
  readonly attempts?: number | undefined
  /** ms before the second time, doubled each time and shortened by up to half at random. Default 500. */
  readonly backoffMs?: number | undefined
  /** The longest wait between two times; a `Retry-After` beyond it ends them. Default 60,000. */
  readonly maxWaitMs?: number | undefined
}

/**
 * Throws `INVALID_CONFIG`. `embed` rejects with `INVALID_CONFIG` when the server refuses or answers something else,
 * `DIMENSION_MISMATCH` for vectors of another length, `DEADLINE_EXCEEDED` after the timeout or the last attempt,
 * `ABORTED` by its signal.
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
    url: parseUrl(options.url),
    model,
    key: async () => (typeof key === 'function' ? key() : key),
    headers: options.headers ?? {},
    body: options.body ?? (() => ({})),
    prefixes: options.prefixes ?? { query: '', document: '' },
    dimensions: whole('dimensions', options.dimensions, tuning.maxDimensions),
    batchSize: whole('batchSize', options.batchSize ?? 64, 4096),
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? 30_000, 3_600_000),
    attempts: whole('attempts', options.attempts ?? 4, 20),
    backoffMs: whole('backoffMs', options.backoffMs ?? 500, 3_600_000),
    maxWaitMs: whole('maxWaitMs', options.maxWaitMs ?? 60_000, 3_600_000),
  }
}

/** Says nothing of the value: a URL may hold a key. */
function parseUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid('url', 'must be an absolute http or https URL', 'Give the whole address of the endpoint.')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', 'must be a URL without a user name and a password', 'Give them as key or headers.')
  }
  return url
}

function whole(field: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw recallError('INVALID_CONFIG', `must be an integer from 1 to ${most}`, {
    field: `embedder.${field}`,
    value,
    hint: 'Give an integer in this range.',
  })
}

function invalid(field: string, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: `embedder.${field}`, hint })
}
