/** Reads a transcript of Claude Code: each line with words of the user or the assistant is a record; its session is the conversation. */
import { jsonLinesOf } from '../files/json-lines.ts'
import { readTime } from '../notes/dates.ts'
import { type Context, left, type Part, type Reader } from '../reading/reader.ts'
import { isObject, type Json } from '../tables/json.ts'
import { turnRecord } from './turn.ts'

export const claudeCode: Reader = {
  kind: 'claude-code',
  recognises: ({ extension, text }) =>
    (extension === 'jsonl' || /^\s*\{/.test(text)) &&
    ((/"sessionId"\s*:\s*"/.test(text) && /"parentUuid"\s*:\s*(?:null|")/.test(text)) || withoutTurn.test(text)),
  async *read({ texts }, context) {
    /** Turns of each session so far. A transcript only grows, so that a turn keeps its position. */
    const counts = new Map<string, number>()
    for await (const { place, value, problem } of jsonLinesOf(texts()))
      yield problem === null ? partOf(value, place, counts, context) : left('damaged', place, problem)
  },
}

/** The lines that can be in front of the first turn, which may be far from the start. */
const withoutTurn = /^\s*\{\s*"type"\s*:\s*"(?:file-history-snapshot|queue-operation|summary"\s*,\s*"summary)"/

function partOf(value: unknown, place: string, counts: Map<string, number>, { offsetAt }: Context): Part {
  if (!isObject(value)) return left('damaged', place, 'must be an object')
  const { type, message, uuid, sessionId, cwd } = value
  if (type !== 'user' && type !== 'assistant') return left('unknown', place, 'is of a type that holds no turn')
  if (!isObject(message)) return left('damaged', place, 'must have a message')
  if (typeof uuid !== 'string' || uuid === '' || typeof sessionId !== 'string' || sessionId === '')
    return left('damaged', place, 'must have a uuid and a sessionId')
  if (value['isMeta'] === true || value['isSidechain'] === true)
    return left('unknown', place, 'is of the program or of another agent')
  const text = wordsOf(message['content'])
  if (text === '') return left('empty', place, 'holds no words of the user or the assistant')
  const session = `claude-code:${sessionId}`
  const position = counts.get(session) ?? 0
  counts.set(session, position + 1)
  const model = message['model']
  return turnRecord({
    session,
    title: null,
    id: uuid,
    position,
    role: type,
    text,
    time: readTime(value['timestamp'], offsetAt),
    // The user did not write this summary.
    kind: value['isCompactSummary'] === true ? 'memory' : 'turn',
    metadata: {
      ...(typeof model === 'string' ? { model } : {}),
      ...(typeof cwd === 'string' ? { folder: cwd } : {}),
    },
  })
}

/** The texts without thoughts, calls of tools and their results, and without what the program adds to them. */
function wordsOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return blocks
    .filter((block): block is Json => isObject(block) && block['type'] === 'text')
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter((text) => text.trim() !== '' && !byProgram.test(text))
    .join('\n\n')
}

const byProgram = /^\s*<(?:command-|local-command-|bash-std|system-reminder)/
