/**
 * Turns the messages of a chat into records: one record for each turn with text, several for a long one. Turns of one session get rising
 * positions, so that neighbours, time and speaker are found. Pure: the time comes with the messages or the options.
 */
import { isDate, type RecallError, recallError } from '../model/errors.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { RecordInput } from '../model/record.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import { parseIsoTime } from '../time/parse-iso-time.ts'
import { splitTurn } from './split-turn.ts'

/** A message as chat libraries have it: the text is in `content`, or in the parts of type `text` of `content` or `parts`. */
export interface Message {
  /** Remembering a message with the same id again updates its record. Default: made of role, `createdAt` and text; equal messages of one call are counted. */
  readonly id?: string | undefined
  /** `user`, `assistant`, `system`, `tool` or any other word. */
  readonly role: string
  readonly content?: string | readonly MessagePart[] | null | undefined
  readonly parts?: readonly MessagePart[] | undefined
  /** Name of the speaker. It becomes the title of the record, so that it can be searched for. */
  readonly name?: string | undefined
  /** ms since the epoch, a Date, or text in ISO 8601. Default: `now` of the options. */
  readonly createdAt?: number | string | Date | undefined
}

/** Parts without text, such as images and tool calls, are left out. */
export interface MessagePart {
  readonly type: string
  readonly text?: string | undefined
}

export interface MessagesOptions {
  /** Name of the conversation. */
  readonly session: string
  /**
   * Position of the first record, an integer; the next records count up from it. `time`: positions rise with the times of the messages
   * (ms × 1,000), so that later calls continue the session, and a message that is given again keeps its position. Default 0.
   */
  readonly position?: number | 'time' | undefined
  /** ms since the epoch, or a Date: the time of messages without `createdAt`. Default: their records get the time of the `put`. */
  readonly now?: number | Date | undefined
  /** Roles that are remembered. Default: `user` and `assistant`. */
  readonly roles?: readonly string[] | undefined
  /** Words from which on a turn is split into several records, at paragraphs and sentences where possible; at least 20, default 300. */
  readonly maxWords?: number | undefined
  /** Fields that all records get, for example `project`, `bank` or `tags`. `kind` is `turn` by default. */
  readonly record?: Partial<RecordInput> | undefined
}

const shippedRoles = ['user', 'assistant'] as const
const shippedMaxWords = 300
const leastMaxWords = 20
/** Room for the records of one millisecond. A position stays a safe integer until the year 2255. */
const positionsPerMs = 1_000

/**
 * Returns the records in the order of the messages. A record has `session`, `position`, `title` (the speaker's name), `createdAt` and
 * `updatedAt` (the time of the message, against which words such as "yesterday" are read), `metadata.role`, and an id `session/message`;
 * the ids of further records of a split turn end in `#2`, `#3`, …. Throws INVALID_ARGUMENT, which names the message and field.
 */
export function messagesToRecords(messages: readonly Message[], options: MessagesOptions): RecordInput[] {
  if (!Array.isArray(messages))
    throw invalid('messages', messages, 'must be an array', 'Give the messages of the chat.')
  const { session, position, now, roles, maxWords, record } = checkedOptions(options)
  const records: RecordInput[] = []
  const taken = new Map<string, number>()
  let next = position === 'time' ? Number.MIN_SAFE_INTEGER : position
  for (const [i, message] of messages.entries()) {
    const turn = readTurn(message, `messages[${i}]`)
    if (!roles.includes(turn.role)) continue
    const time = turn.time ?? now
    if (position === 'time') next = Math.max(next, positionOf(time, `messages[${i}].createdAt`))
    const id = turn.id ?? idOf(turn, taken)
    for (const [chunk, body] of splitTurn(turn.text, maxWords).entries()) {
      records.push({
        kind: 'turn',
        ...record,
        id: `${session}/${id}${chunk === 0 ? '' : `#${chunk + 1}`}`,
        ...(turn.name === undefined ? {} : { title: turn.name }),
        ...(time === undefined ? {} : { createdAt: time, updatedAt: time }),
        body,
        session,
        position: next++,
        metadata: { ...record.metadata, role: turn.role },
      })
    }
  }
  return records
}

/** Counts how often each id was made, so that equal messages of one call stay apart. */
function idOf({ role, time, text }: Turn, taken: Map<string, number>): string {
  const id = sha256Hex(canonicalJson([role, time ?? null, text])).slice(0, 16)
  const count = (taken.get(id) ?? 0) + 1
  taken.set(id, count)
  return count === 1 ? id : `${id}~${count}`
}

function positionOf(time: number | undefined, field: string): number {
  if (time !== undefined) return time * positionsPerMs
  throw invalid(
    field,
    time,
    'must be a time if positions follow time',
    'Give createdAt to each message, or `now` in the options.',
  )
}

interface Turn {
  readonly id: string | undefined
  readonly role: string
  readonly name: string | undefined
  readonly text: string
  readonly time: number | undefined
}

function readTurn(message: unknown, at: string): Turn {
  if (!isPlainObject(message)) throw invalid(at, message, 'must be an object', 'Give { role, content }.')
  const { id, role, name, content, parts, createdAt } = message
  if (typeof role !== 'string' || role === '')
    throw invalid(`${at}.role`, role, 'must be a word', 'Give "user", "assistant" or another role.')
  for (const [field, value] of Object.entries({ id, name })) {
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw invalid(`${at}.${field}`, value, 'must be a text', `Give a text, or leave out ${field}.`)
  }
  return {
    id: id as string | undefined,
    role,
    name: name as string | undefined,
    text: textOf(parts === undefined ? content : parts, `${at}.${parts === undefined ? 'content' : 'parts'}`),
    time: timeOf(createdAt, `${at}.createdAt`),
  }
}

function textOf(content: unknown, at: string): string {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  if (!Array.isArray(content))
    throw invalid(at, content, 'must be a text or an array of parts', 'Give the text of the turn.')
  const texts = content.flatMap((part: unknown, i): string[] => {
    if (typeof part === 'string') return [part]
    if (!isPlainObject(part)) throw invalid(`${at}[${i}]`, part, 'must be an object', 'Give { type, text }.')
    if (part['type'] !== 'text') return []
    if (typeof part['text'] !== 'string')
      throw invalid(`${at}[${i}].text`, part['text'], 'must be a text', 'Give the text of this part.')
    return [part['text']]
  })
  return texts.join('\n\n')
}

function timeOf(value: unknown, field: string): number | undefined {
  if (value === undefined) return undefined
  const time = isDate(value) ? value.getTime() : typeof value === 'string' ? parseIsoTime(value) : value
  if (typeof time === 'number' && Number.isInteger(time)) return time
  throw invalid(
    field,
    value,
    'must be a time',
    'Give ms since the epoch, a Date, or text with a zone: "2026-11-23T09:30:00Z".',
  )
}

function checkedOptions(options: unknown) {
  if (!isPlainObject(options)) throw invalid('options', options, 'must be an object', 'Give { session }.')
  const {
    session,
    position = 0,
    now,
    roles = shippedRoles,
    maxWords = shippedMaxWords,
    record = {},
    ...unknown
  } = options
  for (const [name, value] of Object.entries(unknown))
    throw invalid(
      `options.${name}`,
      value,
      'must be a known option',
      'Use session, position, now, roles, maxWords or record.',
    )
  if (typeof session !== 'string' || session === '')
    throw invalid('options.session', session, 'must be a text', 'Give the name of the conversation.')
  if (!Number.isSafeInteger(position) && position !== 'time')
    throw invalid('options.position', position, 'must be an integer or "time"', 'Give the position of the first turn.')
  if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string'))
    throw invalid('options.roles', roles, 'must be an array of words', 'Give for example ["user", "assistant"].')
  if (!Number.isInteger(maxWords) || (maxWords as number) < leastMaxWords)
    throw invalid('options.maxWords', maxWords, `must be an integer from ${leastMaxWords} on`, 'Leave it out for 300.')
  if (!isPlainObject(record))
    throw invalid('options.record', record, 'must be an object', 'Give the fields that all records get.')
  return {
    session,
    position: position as number | 'time',
    now: timeOf(now, 'options.now'),
    roles: roles as readonly string[],
    maxWords: maxWords as number,
    record: record as Partial<RecordInput>,
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string): RecallError {
  return recallError('INVALID_ARGUMENT', problem, value === undefined ? { field, hint } : { field, value, hint })
}
