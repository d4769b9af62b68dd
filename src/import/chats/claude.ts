/** Reads Claude's export: conversations with their attachments and tool calls, and the documents of projects. */
import type { RecordInput } from '../../core/model/record.ts'
import { jsonParts } from '../files/json-parts.ts'
import { readTime } from '../notes/dates.ts'
import { type Context, left, type Part, type Reader } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'
import { turnRecord } from './turn.ts'

export const claude: Reader = {
  kind: 'claude',
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) &&
    (/"chat_messages"\s*:/.test(text) ||
      (/"docs"\s*:\s*\[/.test(text) && /"prompt_template"\s*:/.test(text)) ||
      /"conversations_memory"\s*:/.test(text)),
  async *read({ sample, texts, whole }, context) {
    // One conversation as a file of its own.
    if (/^\s*\{/.test(sample.text)) {
      yield* partOf(JSON.parse(await whole()), 'conversation 1', context)
      return
    }
    for await (const { value, problem, index, key } of jsonParts(texts())) {
      const place = `${key ?? 'conversation'} ${(index ?? 0) + 1}`
      if (problem !== null) yield left('damaged', place, problem)
      else yield* partOf(value, place, context)
    }
  },
}

function* partOf(value: unknown, place: string, context: Context): Iterable<Part> {
  if (isObject(value) && Array.isArray(value['chat_messages']))
    yield* conversation(value, value['chat_messages'], place, context)
  else if (isObject(value) && Array.isArray(value['docs'])) yield* project(value, value['docs'], place, context)
  else if (isObject(value) && typeof value['conversations_memory'] === 'string')
    yield {
      id: `claude:memory/${textOf(value['account_uuid'])}`,
      kind: 'memory',
      title: 'Memory',
      body: value['conversations_memory'],
      source: 'claude',
    }
  else yield left('unknown', place, 'is neither a conversation nor a project')
}

function* conversation(
  value: Json,
  messages: readonly unknown[],
  place: string,
  { offsetAt }: Context,
): Iterable<Part> {
  const session = `claude:${textOf(value['uuid'])}`
  const title = textOf(value['name']) || null
  if (messages.length === 0) yield left('empty', place, 'holds no message')
  let parent: string | null = null
  for (const [position, message] of messages.entries()) {
    if (!isObject(message)) {
      yield left('damaged', `${place}, message ${position + 1}`, 'must be an object')
      continue
    }
    const id = textOf(message['uuid']) || String(position)
    const time = readTime(message['created_at'] ?? value['created_at'], offsetAt)
    const role = message['sender'] === 'human' ? 'user' : textOf(message['sender']) || 'unknown'
    const above = textOf(message['parent_message_uuid'])
    const isBranch = above !== '' && parent !== null && above !== parent
    const names: string[] = []
    const attached: RecordInput[] = []
    for (const [i, file] of [...listAt(message, 'attachments'), ...listAt(message, 'files')].entries()) {
      const name = isObject(file) ? textOf(file['file_name']) || 'unnamed' : 'unnamed'
      const content = isObject(file) ? textOf(file['extracted_content']) : ''
      if (content.trim() === '') names.push(name)
      else
        attached.push(
          turnRecord({
            session,
            title: name,
            id: `${id}/attachment ${i + 1}`,
            position,
            role,
            text: content,
            time,
            kind: 'attachment',
          }),
        )
    }
    if (names.length > 0) yield { joined: names.length }
    yield* attached
    const { text, tools } = contentOf(message)
    if (text.trim() === '' && tools.length === 0)
      yield left(
        'empty',
        `${place}, message ${position + 1}`,
        names.length > 0 ? 'holds attachments only' : 'holds no text',
      )
    const turn = { session, title, position, role, time }
    if (text.trim() !== '')
      yield turnRecord({
        ...turn,
        id,
        text,
        ...(isBranch ? { relations: [{ kind: 'replies_to', target: `${session}/${above}` }] } : {}),
        metadata: { ...(names.length === 0 ? {} : { attachments: names }), ...(isBranch ? { branch: 'other' } : {}) },
      })
    for (const [i, tool] of tools.entries())
      yield turnRecord({ ...turn, id: `${id}/tool ${i + 1}`, text: tool, kind: 'tool' })
    parent = id
  }
}

function contentOf(message: Json): { readonly text: string; readonly tools: readonly string[] } {
  const texts: string[] = []
  const tools: string[] = []
  for (const part of listAt(message, 'content')) {
    if (!isObject(part)) continue
    const { type } = part
    if (type === 'tool_use') tools.push(`${textOf(part['name'])}: ${textOf(part['input'])}`)
    else if (type === 'tool_result') tools.push(textOf(part['content']))
    else texts.push(textOf(part['text'] ?? part['thinking'] ?? part['transcript']))
  }
  const text = texts.filter((one) => one.trim() !== '').join('\n\n')
  return { text: text === '' ? textOf(message['text']) : text, tools: tools.filter((one) => one.trim() !== '') }
}

function* project(value: Json, docs: readonly unknown[], place: string, { offsetAt }: Context): Iterable<Part> {
  const id = `claude:project/${textOf(value['uuid'])}`
  const name = textOf(value['name'])
  const created = readTime(value['created_at'], offsetAt)
  const times =
    created === undefined ? {} : { createdAt: created, updatedAt: readTime(value['updated_at'], offsetAt) ?? created }
  const about = [value['description'], value['prompt_template']]
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .join('\n\n')
  if (about === '') yield left('empty', place, 'has neither a description nor instructions')
  else yield { id, kind: 'note', title: name, body: about, source: 'claude', topic: name.slice(0, 1_000), ...times }
  for (const [i, doc] of docs.entries()) {
    const content = isObject(doc) ? textOf(doc['content']) : ''
    if (!isObject(doc) || content.trim() === '') {
      yield left(isObject(doc) ? 'empty' : 'damaged', `${place}, document ${i + 1}`, 'holds no text')
      continue
    }
    const time = readTime(doc['created_at'], offsetAt)
    yield {
      id: `${id}/${textOf(doc['uuid']) || i}`,
      kind: 'note',
      title: textOf(doc['filename']) || name,
      body: content,
      source: 'claude',
      topic: name.slice(0, 1_000),
      ...(time === undefined ? times : { createdAt: time, updatedAt: time }),
    }
  }
}

function listAt(value: Json, name: string): readonly unknown[] {
  const list = value[name]
  return Array.isArray(list) ? list : []
}
