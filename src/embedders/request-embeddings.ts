/**
 * Requests embeddings from a server. Repeats the request if that can help: too many requests, an error of the server or the network.
 * Error texts contain the status and the server's origin, but nothing of the request.
 */
import { RecallError, recallError } from '../core/model/errors.ts'

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
  const body = JSON.stringify({ model: settings.model, input: texts, ...settings.body(role) })
  for (let attempt = 1; ; attempt++) {
    const answer = await send(settings, body, signal)
    if ('json' in answer) return readVectors(answer.json, texts.length, settings)
    const waitMs = Math.max(answer.retryAfterMs ?? 0, backoff(settings, attempt))
    if (attempt >= settings.attempts || waitMs > settings.maxWaitMs) throw gaveUp(answer.problem, attempt, settings)
    await wait(waitMs, signal)
  }
}

/** A failure after which the request can be repeated. */
interface Failure {
  readonly problem: string
  readonly retryAfterMs: number | null
}

async function send(
  { url, key, headers, timeoutMs }: RequestSettings,
  body: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly json: unknown } | Failure> {
  if (signal?.aborted) throw aborted()
  const allHeaders = { 'content-type': 'application/json', ...headers, ...authorization(await key()) }
  const ending = new AbortController()
  const onAbort = () => ending.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, timeoutMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: allHeaders,
      body,
      signal: ending.signal,
      credentials: 'omit',
      // The key must not be sent to another server.
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    })
    if (response.ok) return { json: await readJson(response) }
    // Read the whole answer, so that the connection is released.
    await response.arrayBuffer()
    return refuseOrRetry(response, url)
  } catch (error) {
    if (error instanceof RecallError) throw error
    if (signal?.aborted) throw aborted()
    if (isLate) throw tooLate(timeoutMs, url)
    return { problem: 'the network failed', retryAfterMs: null }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
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

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('cannot be parsed as JSON')
  }
}

function refuseOrRetry({ status, headers }: Response, url: URL): Failure {
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
