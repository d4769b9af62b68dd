/**
 * What an agent is here: a function from messages and tools to its next message. The scripted one and a model behind a
 * URL are the same to everything else.
 */
import type { openaiTools } from 'scrubjay/tools'

export type Agent = (
  messages: readonly Message[],
  tools: readonly ToolOffer[],
  signal: AbortSignal,
) => Promise<AgentMessage>

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }
  | AgentMessage

/** Without calls it is the reply, and the turn is over. */
export interface AgentMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly calls: readonly ToolCall[]
  /** Tokens of the prompt as the model counted them, where it says so. */
  readonly promptTokens?: number | undefined
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text, as models write it. */
  readonly arguments: string
}

export type ToolOffer = ReturnType<typeof openaiTools>[number]
