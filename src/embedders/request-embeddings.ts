/**
 * Requests embeddings from a server. Repeats the request if that can help: too many requests, an error of the server or the network.
 * Error texts contain the status and the server's origin, but nothing of the request.
 */
import { recallError } from '../core/model/errors.ts'
import { dropResponse, readResponse } from './read-response.ts'

export interface RequestSettings {
  readonly url: URL
  readonly model: string
  readonly dimensions: number
  key(): Promise<string | undefined>
  readonly headers: Readonly<Record<string, string>>
  body(role: 'query' | 'document'): Readonly<Record<string, unknown>>
  readonly timeoutMs: number
  readonly attempts: number
  readonly backoffMs: number
  readonly maxWaitMs: number
}

/** Returns one vector per text, in the order of the texts. The server may answer in another order. */
export async function requestEmbeddings(
  settings: RequestSettings,
  texts: readonly string[],
  role: 'query' | 'document',
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const body = bodyOf(settings, texts, role)
  for (let attempt = 1; ; attempt++) {
    const answer = await send(settings, body, mostBytes(texts.length, settings), signal)
    if ('json' in answer) return readVectors(answer.json, texts.length, settings)
    const waitMs = Math.max(answer.retryAfterMs ?? 0, backoff(settings, attempt))
    if (attempt >= settings.attempts || waitMs > settings.maxWaitMs) throw gaveUp(answer.problem, attempt, settings)
    await wait(waitMs, signal)
  }
}

function bodyOf({ model, body }: RequestSettings, texts: readonly string[], role: 'query' | 'document'): string {
  try {
    return JSON.stringify({ model, input: texts, ...body(role) })
  } catch {
    throw recallError('INVALID_CONFIG', 'must return fields that JSON can hold', {
      field: 'embedder.body',
      hint: 'Return a plain object.',
    })
  }
}

/** Most bytes of an answer: three times what numbers need that are written with all their digits, and room for other fields. */
function mostBytes(texts: number, { dimensions }: RequestSettings): number {
  return 2 ** 20 + texts * dimensions * 64
}

/** A failure after which the request can be repeated. */
interface Failure {
  readonly problem: string
  readonly retryAfterMs: number | null
}

async function send(
  { url, key, headers, timeoutMs }: RequestSettings,
  body: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly json: unknown } | Failure> {
  if (signal?.aborted) throw aborted()
  const ending = new AbortController()
  // A function of the app for the key, and a replacement of `fetch`, may ignore the signal.
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error), { once: true })
  })
  const onAbort = () => ending.abort(aborted())
  const timer = setTimeout(() => ending.abort(tooLate(timeoutMs, url)), timeoutMs)
  signal?.addEventListener('abort', onAbort)
  const request = async () => {
    const allHeaders = { 'content-type': 'application/json', ...headers, ...authorization(await key()) }
    const response = await answerOf(url, {
      method: 'POST',
      headers: allHeaders,
      body,
      signal: ending.signal,
      credentials: 'omit',
      // The key must not be sent to another server.
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
    })
    if (response === null) return networkFailure
    if (!response.ok) {
      dropResponse(response)
      return refuseOrRetry(response, url)
    }
    const bytes = await readResponse(response, most).catch(() => undefined)
    return bytes === undefined ? networkFailure : { json: parseJson(bytes, most) }
  }
  try {
    return await Promise.race([request(), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const networkFailure: Failure = { problem: 'the network failed', retryAfterMs: null }

/** Resolves to null if the network fails. */
function answerOf(url: URL, request: RequestInit): Promise<Response | null> {
  return fetch(url, request).catch(() => null)
}

/** Checks the key first, because `fetch` quotes a key with line breaks in its error. */
function authorization(key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {}
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return { authorization: `Bearer ${key}` }
  throw recallError('INVALID_CONFIG', 'must be a text that an HTTP header can hold', {
    field: 'embedder.key',
    hint: 'Give the key without spaces and line breaks.',
  })
}

function parseJson(bytes: Uint8Array<ArrayBuffer> | null, most: number): unknown {
  if (bytes === null) throw unreadable(`has more than ${most} bytes`)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw unreadable('cannot be parsed as JSON')
  }
}

function refuseOrRetry({ status, headers, type }: Response, url: URL): Failure {
  // Browsers hide the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw recallError('INVALID_CONFIG', `must be one that answers itself, but ${url.origin} redirects`, {
      field: 'embedder.url',
      hint: 'Give the URL that it redirects to. The key is sent to no other address.',
    })
  }
  if (status === 429 || status >= 500) {
    return { problem: `the server answered ${status}`, retryAfterMs: readRetryAfter(headers.get('retry-after')) }
  }
  const isKeyWrong = status === 401 || status === 403
  throw recallError('INVALID_CONFIG', `must be one that ${url.origin} accepts, but the server answered ${status}`, {
    field: isKeyWrong ? 'embedder.key' : 'embedder.url',
    hint: isKeyWrong ? 'Check the key and its permissions.' : 'Check url, model and body.',
  })
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 §10.2.3). Returns ms. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

function backoff({ backoffMs }: RequestSettings, attempt: number): number {
  return backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(aborted())
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function readVectors(json: unknown, count: number, { dimensions }: RequestSettings): Float32Array[] {
  const rows = (json as { readonly data?: unknown } | null)?.data
  if (!Array.isArray(rows)) throw unreadable('lacks the array "data"')
  if (rows.length !== count) throw unreadable(`has ${rows.length} embeddings for ${count} texts`)
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const row of rows as readonly ({ readonly index?: unknown; readonly embedding?: unknown } | null)[]) {
    const index = row?.index
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index]) {
      throw unreadable('does not have each index exactly once')
    }
    vectors[index] = readVector(row?.embedding, dimensions)
  }
  return vectors as Float32Array[]
}

function readVector(embedding: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(embedding)) throw unreadable('has an embedding that is not an array of numbers')
  if (embedding.length !== dimensions) {
    throw recallError('DIMENSION_MISMATCH', `must be ${embedding.length}, the length of the server’s vectors`, {
      field: 'embedder.dimensions',
      value: dimensions,
      hint: `Give dimensions: ${embedding.length}, or ask the server for ${dimensions} with the option body.`,
    })
  }
  if (!embedding.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value)))) {
    throw unreadable('has an embedding with a value that is not a finite number')
  }
  return Float32Array.from(embedding as readonly number[])
}

function unreadable(problem: string) {
  return recallError('INVALID_CONFIG', `must lead to an embeddings API, but the server’s answer ${problem}`, {
    field: 'embedder.url',
    hint: 'Give an endpoint of OpenAI’s embeddings API.',
  })
}

function gaveUp(problem: string, attempts: number, { url }: RequestSettings) {
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return recallError(
    'DEADLINE_EXCEEDED',
    `must lead to a server that works, but ${problem} after ${times} at ${url.origin}`,
    {
      field: 'embedder.url',
      hint: 'Try again later.',
    },
  )
}

function tooLate(timeoutMs: number, url: URL) {
  return recallError('DEADLINE_EXCEEDED', `must be longer, because ${url.origin} did not answer in time`, {
    field: 'embedder.timeoutMs',
    value: timeoutMs,
    hint: 'Try again, raise timeoutMs, or lower batchSize.',
  })
}

function aborted() {
  return recallError('ABORTED', 'The signal aborted the embedding')
}
