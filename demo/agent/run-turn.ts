/**
 * Runs one turn: assembles a context, writes the prompt, then calls the agent and its tools until it replies. Uses the store
 * only through `assemble` and the tools. Forgets nothing before the user has confirmed it.
 */
import type { ContextPackage, ForgottenProof, Recall, StoredRecord } from 'scrubjay'
import {
  answerTool,
  type CheckedArguments,
  checkArguments,
  type JsonObject,
  openaiTools,
  type ToolName,
  toolDefinitions,
} from 'scrubjay/tools'
import type { Deletions } from '../shared/delete/deletions.ts'
import type { Agent, AgentMessage, Message, Offer, ToolCall } from './model/agent.ts'
import { provenanceOf } from './authority-tiers.ts'
import { type Prompt, tokensOf, writePrompt } from './prompt.ts'

export interface TurnRequest {
  readonly question: string
  readonly earlier: readonly Message[]
  /** Token budget of the recalled records. */
  readonly maxTokens: number
  readonly signal: AbortSignal
}

/** Receives the events of a turn: once `recalled`, then each call and its answer. */
export interface TurnListener {
  recalled(context: ContextPackage, prompt: Prompt): void
  /** Receives the text of the reply while it is written. */
  said(text: string): void
  called(call: ToolCall): void
  /** Resolves to whether these records may be forgotten; to false when the turn is stopped. */
  confirm(call: ToolCall, records: readonly StoredRecord[], signal: AbortSignal): Promise<boolean>
  answered(call: ToolCall, answer: JsonObject, proofs: readonly ForgottenProof[]): void
}

export interface Turn {
  readonly reply: string
  /** Whether the reply is shown to the letter; else it is Markdown. */
  readonly isPlain: boolean
  readonly offers: readonly Offer[]
  /** Tokens of the tool calls and their answers. */
  readonly toolTokens: number
  /** Tokens of the largest prompt as counted by the model; undefined if it does not report them. */
  readonly promptTokens: number | undefined
}

const maxRounds = 8
/** `assemble` is missing: the app itself assembles the context of each turn. */
const offered = ['remember', 'recall', 'about', 'why', 'forget'] as const

export async function runTurn(
  recall: Recall,
  deletions: Pick<Deletions, 'ids' | 'remove'>,
  agent: Agent,
  { question, earlier, maxTokens, signal }: TurnRequest,
  listener: TurnListener,
): Promise<Turn> {
  const tools = openaiTools(offered)
  const assembled = await recall.assemble(
    {
      text: searchText(question, earlier),
      maxItems: 6,
      maxTokens,
      format: 'xml',
      minEvidence: 'weak',
      exclude: deletions.ids(),
    },
    { signal },
  )
  const prompt = writePrompt({ question, assembled, earlier, tools, maxTokens })
  listener.recalled(assembled, prompt)

  const messages = [...prompt.messages]
  let promptTokens: number | undefined
  for (let round = 0; round < maxRounds; round += 1) {
    const message = await agent(messages, tools, signal, listener.said)
    signal.throwIfAborted()
    promptTokens = message.promptTokens ?? promptTokens
    if (message.calls.length === 0) {
      const toolTokens = tokensOf(messages.slice(prompt.messages.length))
      const { isPlain = false, offers = [] } = message
      return { reply: replyOf(message), isPlain, offers, toolTokens, promptTokens }
    }
    messages.push(message)
    for (const call of message.calls) {
      listener.called(call)
      const { answer, proofs } = await carryOut(recall, deletions, call, question, signal, listener)
      messages.push({ role: 'tool', callId: call.id, content: JSON.stringify(answer) })
      listener.answered(call, answer, proofs)
    }
  }
  throw new Error(`The agent called tools ${maxRounds} times without an answer. Ask again in other words.`)
}

/** A follow-up names its subject only in the message before: “and since when?” has no other word to look for. */
function searchText(question: string, earlier: readonly Message[]): string {
  const previous = earlier.findLast(({ role }) => role === 'user')?.content
  if (previous === undefined || !isFollowUp.test(question)) return question
  return isBare.test(question) ? previous : `${previous} ${question}`
}

const isFollowUp =
  /^(?:and|but|or|so|then|since|how long|what about|how about|where exactly|when exactly|what else|who else)\b/i
const isBare =
  /^(?:(?:and|but|so)\s+)?(?:since when|how long|where|when|who|what|why)(?:\s+(?:exactly|else|was that|is that|then))?[\s?.!]*$/i

interface CarriedOut {
  readonly answer: JsonObject
  readonly proofs: readonly ForgottenProof[]
}

async function carryOut(
  recall: Recall,
  deletions: Pick<Deletions, 'remove'>,
  call: ToolCall,
  question: string,
  signal: AbortSignal,
  listener: TurnListener,
): Promise<CarriedOut> {
  const { name, arguments: args } = call
  const run = (record = {}) => answerTool(recall, name, args, { offered, signal, record })
  if (name === 'remember') {
    const { text = '' } = argumentsOf(call) as { readonly text?: string }
    return { answer: await run(provenanceOf(text, question)), proofs: [] }
  }
  if (name !== 'forget') return { answer: await run(), proofs: [] }
  const { ids = [] } = argumentsOf(call) as { readonly ids?: readonly string[] }
  const records = (await recall.get(ids, { signal })).filter((record) => record !== undefined)
  if (records.length > 0 && !(await listener.confirm(call, records, signal))) return { answer: declined, proofs: [] }
  let answer = undone
  const forget = async () => {
    answer = await run()
  }
  if (records.length === 0) await forget()
  else await deletions.remove(records, { forget, signal })
  signal.throwIfAborted()
  const gone = (answer['forgotten'] ?? []) as readonly string[]
  return { answer, proofs: await Promise.all(gone.map((id) => recall.verifyForgotten(id))) }
}

const declined: JsonObject = { error: { code: 'DECLINED', message: 'Kept: you said no.', field: null, hint: null } }

const undone: JsonObject = {
  error: { code: 'DECLINED', message: 'Kept: it was not deleted.', field: null, hint: null },
}

/** Empty for wrong arguments: the tool itself reports what is wrong. */
function argumentsOf({ name, arguments: args }: ToolCall): CheckedArguments {
  try {
    return checkArguments(toolDefinitions[name as ToolName].parameters, args)
  } catch {
    return {}
  }
}

function replyOf({ content }: AgentMessage): string {
  if (content.trim() === '') throw new Error('The model returned an empty reply. Try again.')
  return content.trim()
}
