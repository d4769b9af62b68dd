/**
 * The built-in agent: a script that needs no model. It reads the same messages as a model, makes the same tool calls, and
 * answers only by quoting. It has no state: the next step follows from the calls since the last question.
 */
import type { Contribution } from 'scrubjay'
import { barsOf } from 'scrubjay/devtools'
import type { Agent, AgentMessage, Message } from './model/agent.ts'
import { type Intent, intentOf } from './intent.ts'
import { inOrder, rankOf } from './order-records.ts'
import { readContext } from './prompt.ts'

export const scriptedAgent: Agent = async (messages) => {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[last]?.content ?? ''
  const answers = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [parse(message)] : []))
  return next(question, answers, messages.slice(0, last))
}

function next(question: string, answers: readonly Answer[], before: readonly Message[]): AgentMessage {
  const failed = answers.find(({ error }) => error !== undefined)?.error
  if (failed !== undefined) return say(failed.message)
  const intent = intentOf(question)
  switch (intent.kind) {
    case 'help':
      return say(help)
    case 'greeting':
      return say(`Hello. ${help}`)
    case 'thanks':
      return say('You are welcome.')
    case 'about':
      return about(intent.subject, answers)
    case 'my-words':
      return myWords(question, answers)
    case 'statement':
    case 'correction':
      return offerToKeep(intent, before)
    case 'remember':
      return remember(intent.text, answers)
    case 'forget':
      return forget(intent.about, answers, before)
    case 'why':
    case 'why-not':
      return explain(intent, answers, before)
    case 'question':
      return answer(intent.text, answers, before)
  }
}

function remember(text: string, [stored]: readonly Answer[]): AgentMessage {
  if (stored === undefined) return call('remember', { text })
  return say(`${stored.outcome === 'unchanged' ? 'I knew that' : 'Remembered'}: “${text}” [${stored.id}]`)
}

/** Lists what holds now of a person or thing; of the user, what she said of herself. The panel next to the chat lists everything. */
function about(subject: string, [found]: readonly Answer[]): AgentMessage {
  if (found === undefined) return call('about', { subject })
  const { current = [], earlier = [] } = found
  const whom = subject === 'me' ? 'you' : subject
  if (current.length + earlier.length > 0) {
    const lines = [...current.map((one) => quote(one)), ...earlier.map((one) => `Earlier: ${quote(one)}`)]
    return say([`This is what I remember of ${whom}:`, ...lines].join('\n'))
  }
  return say(
    subject === 'me'
      ? 'Nothing yet. Tell me something: write “remember that …”.'
      : `I remember nothing about “${subject}”.`,
  )
}

/** Lists the memories of the time that the question names. */
function myWords(question: string, [found]: readonly Answer[]): AgentMessage {
  if (found === undefined) return call('recall', { query: question, limit: 20 })
  const records = found.records ?? []
  if (records.length === 0) return say('Nothing that I kept is of that time.')
  return say(['This is what I kept:', ...records.map((one) => quote(one))].join('\n'))
}

/** Keeps nothing unasked. A correction names the memory that it changes, if the context has one. */
function offerToKeep({ kind, text }: Extract<Intent, { text: string }>, before: readonly Message[]): AgentMessage {
  if (/^(?:it|he|she|they|this|that)\b/i.test(text))
    return say('Write it as one sentence with the name in it, and I can keep it.')
  const { evidence, records } = readContext(before)
  const [old] = evidence === 'none' ? [] : records
  const isChange = kind === 'correction' && old !== undefined
  return {
    ...say(
      isChange ? `I have ${quote({ ...old, tier: undefined })}\nChange it to “${text}”?` : `Shall I keep “${text}”?`,
    ),
    offers: [{ label: isChange ? 'Change it' : 'Remember this', message: `Remember that ${text}` }],
  }
}

function forget(about: string, answers: readonly Answer[], before: readonly Message[]): AgentMessage {
  const forgotten = answers.find((one) => one.forgotten !== undefined)
  if (forgotten !== undefined) {
    const count = forgotten.forgotten?.length ?? 0
    return say(count > 0 ? 'Forgotten, and nothing of it is left.' : 'There was nothing to forget.')
  }
  if (about === '') {
    const id = lastQuoted(before)?.id
    return id === undefined ? say('Forget what? I have quoted nothing yet.') : call('forget', { ids: [id] })
  }
  const [found] = answers
  if (found === undefined) return call('recall', { query: about, limit: 1 })
  const [first] = known(found)
  return first === undefined ? say(`I remember nothing about “${about}”.`) : call('forget', { ids: [first.id] })
}

/** “why” explains the last answer; “why not x” why the last answer left out x; “why x” the answer to x. */
function explain(
  { kind, about }: Extract<Intent, { kind: 'why' | 'why-not' }>,
  answers: readonly Answer[],
  before: readonly Message[],
): AgentMessage {
  const last = lastQuoted(before)
  const explained = answers.find(({ steps }) => steps !== undefined)
  const query = (about === '' || kind === 'why-not' ? last?.question : undefined) ?? about
  if (explained !== undefined) return say(inWords(explained, query, quoteOf(explained.id, answers, before)))
  if (about === '') {
    return last === undefined
      ? say('I have not answered anything yet. Ask me something first.')
      : call('why', { query, id: last.id })
  }
  const [found] = answers
  if (found === undefined) return call('recall', { query: about, limit: 1 })
  const first = kind === 'why' ? known(found)[0] : found.records?.[0]
  return first === undefined ? say(`I remember nothing about “${about}”.`) : call('why', { query, id: first.id })
}

/** Quotes the context of the question. If that has no evidence, recalls once more before it gives up. */
function answer(text: string, [found]: readonly Answer[], before: readonly Message[]): AgentMessage {
  const { evidence, records } = readContext(before)
  if (evidence !== 'none' && records.length > 0)
    return say(`${quoted(text, evidence, records)}${keptOn(text, records)}`)
  if (found === undefined) return call('recall', { query: text, limit: 3 })
  const hits = known(found)
  if (hits.length === 0) return say('I don’t know: nothing I remember answers that.')
  return say(quoted(text, found.evidence ?? 'weak', hits))
}

/** The day of the record quoted first, for a question about since when. */
function keptOn(question: string, records: readonly Quotable[]): string {
  if (!/\b(?:since when|how long|when exactly|when was that)\b/i.test(question)) return ''
  const [best] = inOrder(question, records)
  const day = best?.createdAt?.slice(0, 10) ?? ''
  return day === '' ? '' : `\nI keep it since ${day}.`
}

interface Quotable {
  readonly id: string
  readonly text: string
  readonly title?: string | null | undefined
  readonly tier?: string | undefined
  /** Rank of its tier; 0 is the highest. */
  readonly rank?: number | undefined
  /** ISO 8601. */
  readonly createdAt?: string | undefined
}

function quoted(question: string, evidence: string, records: readonly Quotable[]): string {
  const [best, second] = inOrder(question, records)
  if (best === undefined) return ''
  const isFirst = best === records[0]
  const about = isFirst ? 'Or' : rankOf(best) < rankOf(second) ? 'Less trusted' : 'Earlier'
  const lines = [
    evidence === 'strong' ? quote(best) : `I am not sure, but this may be related. ${quote(best)}`,
    second === undefined || (isFirst && evidence === 'strong') ? '' : `${about}: ${quote(second)}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function quote({ id, text, title, tier }: Quotable): string {
  const whole = title === undefined || title === null ? text : `${title}: ${text}`
  return `${tier === undefined || tier === '' ? '' : `${tier}: `}“${shortened(whole).replace(/\s+/g, ' ')}” [${id}]`
}

const maxQuoted = 240

function inWords({ id, selected, place, reason, contributions = [] }: Answer, query: string, text: string): string {
  const parts = barsOf(contributions).map(({ name, share }) => `${name} (${Math.round(100 * share)} %)`)
  const because = parts.length === 0 ? '' : `, found by ${new Intl.ListFormat('en').format(parts)}`
  return selected === true
    ? `${text}[${id}] is at place ${place} for “${query}”${because}.`
    : `${text}[${id}] is not in the answer to “${query}”: ${reason}.`
}

function quoteOf(id: string | undefined, answers: readonly Answer[], before: readonly Message[]): string {
  const found = [...answers.flatMap(({ records = [] }) => records), ...readContext(before).records]
  const text = found.find((record) => record.id === id)?.text ?? quotedBefore(lastQuoted(before)?.reply ?? '', id ?? '')
  return text === '' ? '' : `“${shortened(text)}” `
}

function quotedBefore(reply: string, id: string): string {
  return reply.split(`” [${id}]`, 1)[0]?.split('“').at(-1) ?? ''
}

function shortened(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted).trimEnd()}…` : text
}

/** The fields of tool answers that this agent reads. */
interface Answer {
  readonly error?: { readonly message: string }
  readonly id?: string
  readonly outcome?: string
  readonly evidence?: string
  readonly current?: readonly Quotable[]
  readonly earlier?: readonly Quotable[]
  readonly records?: readonly Quotable[]
  readonly forgotten?: readonly string[]
  readonly selected?: boolean
  readonly place?: number | null
  readonly reason?: string
  readonly steps?: readonly unknown[]
  readonly contributions?: readonly Contribution[]
}

function parse({ content }: Message): Answer {
  return JSON.parse(content) as Answer
}

/** Empty without evidence: then the nearest record does not answer the question. */
function known({ evidence, records = [] }: Answer): readonly Quotable[] {
  return evidence === 'none' ? [] : records
}

/** The last reply with a citation, and its question. */
function lastQuoted(before: readonly Message[]): { reply: string; id: string; question: string } | undefined {
  const place = before.findLastIndex(({ role, content }) => role === 'assistant' && citation.test(content))
  const reply = before[place]?.content
  const id = citation.exec(reply ?? '')?.[1]
  const question = before[place - 1]?.content
  if (reply === undefined || id === undefined || question === undefined) return undefined
  const intent = intentOf(question)
  const subject = 'text' in intent ? intent.text : 'about' in intent ? intent.about : ''
  return { reply, id, question: subject === '' ? question : subject }
}

const citation = /\[([^[\]\s]{1,512})\]/

function say(content: string): AgentMessage {
  return { role: 'assistant', content, calls: [], isPlain: true }
}

let callCount = 0

function call(name: string, args: object): AgentMessage {
  callCount += 1
  return { role: 'assistant', content: '', calls: [{ id: `call-${callCount}`, name, arguments: JSON.stringify(args) }] }
}

const help =
  'Write “remember that …”, “forget …”, “why …” or “why not …”, or ask. I am a script: I quote my memories, and say when none answers.'
