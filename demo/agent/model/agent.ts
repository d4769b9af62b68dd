/** Defines an agent: a function from messages and tools to its next message. The script and a model share this type. */
import type { openaiTools } from 'scrubjay/tools'

export type Agent = (
  messages: readonly Message[],
  tools: readonly ToolOffer[],
  signal: AbortSignal,
  /** Receives the text of the message so far, each time that it has grown. */
  said: (text: string) => void,
) => Promise<AgentMessage>

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }
  | AgentMessage

/** A message without calls is the reply and ends the turn. */
export interface AgentMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly calls: readonly ToolCall[]
  /** Tokens of the prompt as counted by the model, if it reports them. */
  readonly promptTokens?: number | undefined
  /** Messages that the user can send by one press. */
  readonly offers?: readonly Offer[]
  /** Whether the content is shown to the letter. Default false: it is Markdown. */
  readonly isPlain?: boolean
}

export interface Offer {
  readonly label: string
  readonly message: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. */
  readonly arguments: string
}

export type ToolOffer = ReturnType<typeof openaiTools>[number]
