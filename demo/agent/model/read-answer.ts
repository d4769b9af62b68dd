/**
 * Reads the answer of a model: a stream of events, or one completion from servers that do not stream. Errors in it become
 * one sentence.
 */
import type { AgentMessage, ToolCall } from './agent.ts'

/** `said` receives the text so far. */
export async function readAnswer(response: Response, said: (text: string) => void): Promise<AgentMessage> {
  const answer = new GrowingAnswer()
  let whole = ''
  let line = ''
  const decoder = new TextDecoder()
  const take = (text: string) => {
    whole += text
    const lines = (line + text).split(/\r?\n/)
    line = lines.pop() ?? ''
    const before = answer.content
    for (const one of lines) answer.take(one)
    if (answer.content !== before) said(answer.content)
  }
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    take(decoder.decode(part.value, { stream: true }))
  }
  take(`${decoder.decode()}\n`)
  return answer.isStream ? answer.message() : readCompletion(whole.trim())
}

/** The fields of a completion, or of one event of a stream, that this page reads. */
interface Completion {
  readonly error?: unknown
  readonly choices?: readonly { readonly message?: Part | null; readonly delta?: Part | null }[]
  readonly usage?: { readonly prompt_tokens?: unknown } | null
}

interface Part {
  readonly content?: unknown
  readonly tool_calls?: unknown
}

interface CallPart {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

/** Collects the events of a stream. */
class GrowingAnswer {
  isStream = false
  content = ''
  #promptTokens: number | undefined
  /** By the index that the server gives. */
  readonly #calls = new Map<number, { id: unknown; name: unknown; arguments: string }>()

  take(line: string): void {
    if (!line.startsWith('data:')) return
    this.isStream = true
    const event = parsed(line.slice('data:'.length)) as Completion | null
    if (event === null) return
    if (event.error != null) throw new Error(`The model stopped: ${complaintIn(JSON.stringify(event))}`)
    this.#promptTokens = tokensIn(event) ?? this.#promptTokens
    const [choice] = event.choices ?? []
    const part = choice?.delta ?? choice?.message
    if (typeof part?.content === 'string') this.content += part.content
    if (Array.isArray(part?.tool_calls)) for (const call of part.tool_calls as readonly CallPart[]) this.#takeCall(call)
  }

  message(): AgentMessage {
    return {
      role: 'assistant',
      content: this.content,
      calls: [...this.#calls.values()].map((call) => readCall({ id: call.id, function: call })),
      promptTokens: this.#promptTokens,
    }
  }

  /** Later parts of a call have only its index, or nothing but more of its arguments. */
  #takeCall({ index, id, function: called }: CallPart): void {
    const [last = -1] = [...this.#calls.keys()].slice(-1)
    const isNext = last === -1 || (typeof id === 'string' && id !== this.#calls.get(last)?.id)
    const place = typeof index === 'number' ? index : last + (isNext ? 1 : 0)
    const call = this.#calls.get(place) ?? { id, name: called?.name, arguments: '' }
    this.#calls.set(place, call)
    call.id ??= id
    call.name ??= called?.name
    if (typeof called?.arguments === 'string') call.arguments += called.arguments
  }
}

function readCompletion(text: string): AgentMessage {
  const completion = parsed(text) as Completion | null
  const message = completion?.choices?.[0]?.message
  if (message === undefined || message === null) throw new Error(`The model's answer has no message: ${cut(text)}`)
  const { content, tool_calls: calls } = message
  return {
    role: 'assistant',
    content: typeof content === 'string' ? content : '',
    calls: Array.isArray(calls) ? calls.map(readCall) : [],
    promptTokens: tokensIn(completion),
  }
}

function tokensIn(completion: Completion | null): number | undefined {
  const tokens = completion?.usage?.prompt_tokens
  return typeof tokens === 'number' ? tokens : undefined
}

function readCall(call: unknown): ToolCall {
  const { id, function: called } = (call ?? {}) as CallPart
  if (typeof id !== 'string' || typeof called?.name !== 'string')
    throw new Error(`The model called a tool without an id or a name: ${cut(JSON.stringify(call))}`)
  // The tools report wrong arguments themselves, so that the model can correct them.
  return { id, name: called.name, arguments: typeof called.arguments === 'string' ? called.arguments : '' }
}

export function complaintIn(text: string): string {
  const { error } = (parsed(text) ?? {}) as { readonly error?: string | { readonly message?: unknown } | null }
  const message = typeof error === 'string' ? error : error?.message
  return cut(typeof message === 'string' ? message : text) || 'no reason given.'
}

/** Null for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
