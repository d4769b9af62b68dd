/**
 * Calls a model with OpenAI's chat completions API, as a stream. The key stays in this page's memory. Errors of the endpoint
 * become one sentence with a hint.
 */
import type { Agent, Message } from './agent.ts'
import { complaintIn, parsed, readAnswer } from './read-answer.ts'

export interface ModelSettings {
  readonly url: string
  readonly model: string
  /** May be empty, for a local server. */
  readonly key: string
}

/** Throws an error with a hint if the settings are wrong. */
export function modelAgent({ url, model, key }: ModelSettings): Agent {
  const endpoint = endpointOf(url)
  if (model.trim() === '') throw new Error('Fill in the name of the model.')
  return async (messages, tools, signal, said) => {
    const body = { model: model.trim(), messages: messages.map(asSent), tools, stream: true }
    const ask = (sent: object) => request(endpoint, key, { method: 'POST', body: JSON.stringify(sent), signal })
    let response = await ask({ ...body, stream_options: { include_usage: true } })
    let complaint = response.ok ? '' : await response.text()
    // Some servers refuse options that they do not know. Without this one, they report no tokens.
    if ([400, 422].includes(response.status) && complaint.includes('stream_options')) {
      response = await ask(body)
      complaint = response.ok ? '' : await response.text()
    }
    if (!response.ok) throw new Error(`The model answered ${response.status}: ${complaintIn(complaint)}`)
    return readAnswer(response, said)
  }
}

/** Names of the models that a server offers. Rejects with a sentence if it cannot be reached. */
export async function modelNames(url: string, key: string): Promise<readonly string[]> {
  const endpoint = new URL(endpointOf(url).href.replace(/\/chat\/completions$/, '/models'))
  const response = await request(endpoint, key, { signal: AbortSignal.timeout(10_000) })
  const text = await response.text()
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${complaintIn(text)}`)
  const { data } = (parsed(text) ?? {}) as { readonly data?: unknown }
  if (!Array.isArray(data)) throw new Error('The server answered, but lists no models. Fill in the name of the model.')
  return data.flatMap(({ id }: { readonly id?: unknown }) => (typeof id === 'string' ? [id] : []))
}

function request(endpoint: URL, key: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return fetch(endpoint, {
    ...init,
    headers: {
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
    },
    // A redirect would send the key to another server.
    redirect: 'error',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (init.signal.aborted) throw error
    throw new Error(
      `${endpoint.origin} cannot be reached, or does not allow requests from pages (CORS). Check the address.`,
    )
  })
}

/** Accepts the address of a server, of its API (`…/v1`), or of the chat completions themselves. */
function endpointOf(url: string): URL {
  if (!URL.canParse(url)) throw new Error('The address of the model must be a URL. Give all of it, with https://.')
  const endpoint = new URL(url)
  const isHere = ['localhost', '127.0.0.1'].includes(endpoint.hostname)
  if (endpoint.protocol !== 'https:' && (endpoint.protocol !== 'http:' || !isHere))
    throw new Error('The address of the model must begin with https://, or with http://localhost.')
  const path = endpoint.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/chat/completions')) endpoint.pathname = `${path === '' ? '/v1' : path}/chat/completions`
  return endpoint
}

function asSent(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant' || message.calls.length === 0)
    return { role: message.role, content: message.content }
  const calls = message.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return { role: 'assistant', content: message.content === '' ? null : message.content, tool_calls: calls }
}
