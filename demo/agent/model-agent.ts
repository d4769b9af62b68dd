/**
 * Calls a model with OpenAI's chat completions API. Key and address stay in this page's memory. Errors of the endpoint or
 * its answer become one sentence with a hint.
 */
import type { Agent, AgentMessage, Message, ToolCall } from './agent.ts'

export interface ModelSettings {
  readonly url: string
  readonly model: string
  /** May be empty, for a local server. */
  readonly key: string
}

/** Throws an error with a hint if the settings are wrong. */
export function modelAgent({ url, model, key }: ModelSettings): Agent {
  const endpoint = checkedUrl(url)
  if (model.trim() === '') throw new Error('Fill in the name of the model.')
  return async (messages, tools, signal) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key === '' ? {} : { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model: model.trim(), messages: messages.map(asSent), tools }),
      signal,
      // A redirect would send the key to another server.
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new Error(
        `${endpoint.origin} cannot be reached, or does not allow requests from pages (CORS). Check the address.`,
      )
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`The model answered ${response.status}: ${complaintIn(text)}`)
    return readReply(text)
  }
}

function checkedUrl(url: string): URL {
  if (!URL.canParse(url)) throw new Error('The address of the model must be a URL. Give all of it, with https://.')
  const endpoint = new URL(url)
  const isHere = ['localhost', '127.0.0.1'].includes(endpoint.hostname)
  if (endpoint.protocol === 'https:' || (endpoint.protocol === 'http:' && isHere)) return endpoint
  throw new Error('The address of the model must begin with https://, or with http://localhost.')
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

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown; readonly tool_calls?: unknown } }[]
  readonly usage?: { readonly prompt_tokens?: unknown }
}

function readReply(text: string): AgentMessage {
  const completion = parsed(text) as Completion | null
  const message = completion?.choices?.[0]?.message
  if (message === undefined || message === null) throw new Error(`The model's answer has no message: ${cut(text)}`)
  const { content, tool_calls: calls } = message
  const tokens = completion?.usage?.prompt_tokens
  return {
    role: 'assistant',
    content: typeof content === 'string' ? content : '',
    calls: Array.isArray(calls) ? calls.map(readCall) : [],
    promptTokens: typeof tokens === 'number' ? tokens : undefined,
  }
}

function readCall(call: unknown): ToolCall {
  const { id, function: called } = (call ?? {}) as { id?: unknown; function?: { name?: unknown; arguments?: unknown } }
  if (typeof id !== 'string' || typeof called?.name !== 'string')
    throw new Error(`The model called a tool without an id or a name: ${cut(JSON.stringify(call))}`)
  // The tools report wrong arguments themselves, so that the model can correct them.
  return { id, name: called.name, arguments: typeof called.arguments === 'string' ? called.arguments : '' }
}

function complaintIn(text: string): string {
  const message = (parsed(text) as { error?: { message?: unknown } } | null)?.error?.message
  return cut(typeof message === 'string' ? message : text) || 'no reason given.'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
