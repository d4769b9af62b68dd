/**
 * Reads ChatGPT's conversations.json: each message of the tree is a record; the branch that the app shows keeps its order, and a message of another
 * branch names the message that it replies to.
 */
import { jsonParts } from '../files/json-parts.ts'
import { readTime } from '../notes/dates.ts'
import { type Context, left, type Part, type Reader } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'
import { turnRecord } from './turn.ts'

export const chatgpt: Reader = {
  kind: 'chatgpt',
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) && /"mapping"\s*:\s*\{/.test(text) && /"(?:create_time|current_node|message)"\s*:/.test(text),
  async *read({ sample, texts, whole }, context) {
    // One conversation as a file of its own.
    if (/^\s*\{/.test(sample.text) && /^\s*\{[^[]{0,2000}"mapping"/.test(sample.text)) {
      yield* conversation(JSON.parse(await whole()), 0, context)
      return
    }
    for await (const { value, problem, index, key } of jsonParts(texts())) {
      const place = `conversation ${(index ?? 0) + 1}`
      if (problem !== null) yield left('damaged', place, problem)
      else if (index === null) yield left('unknown', key, 'must be a conversation')
      else yield* conversation(value, index, context)
    }
  },
}

function* conversation(value: unknown, index: number, context: Context): Iterable<Part> {
  const place = `conversation ${index + 1}`
  if (!isObject(value) || !isObject(value['mapping'])) {
    yield left('damaged', place, 'must have a mapping of messages')
    return
  }
  const mapping = value['mapping'] as Readonly<Record<string, unknown>>
  const own = value['conversation_id'] ?? value['id']
  const session = `chatgpt:${typeof own === 'string' ? own : (Object.keys(mapping)[0] ?? index)}`
  const title = typeof value['title'] === 'string' ? value['title'] : null
  const shown = shownBranch(mapping, value['current_node'])
  let count = 0
  for (const { id, position } of ordered(mapping, shown)) {
    const node = mapping[id]
    if (!isObject(node)) {
      yield left('damaged', `${place}, ${id}`, 'must be an object')
      count++
      continue
    }
    const message = node['message']
    // The root of a tree has no message.
    if (message === null || message === undefined) continue
    count++
    if (!isObject(message)) {
      yield left('damaged', `${place}, ${id}`, 'must have a message')
      continue
    }
    const author = isObject(message['author']) ? message['author'] : {}
    const role = typeof author['role'] === 'string' ? author['role'] : 'unknown'
    const { text, attachments, unknown } = contentOf(message)
    if (attachments.length > 0) yield { joined: attachments.length }
    if (unknown !== null) yield left('unknown', `${place}, ${id}`, unknown)
    if (text.trim() === '') {
      if (unknown === null)
        yield left('empty', `${place}, ${id}`, attachments.length > 0 ? 'holds attachments only' : 'holds no text')
      continue
    }
    const parent = typeof node['parent'] === 'string' ? node['parent'] : null
    const details = isObject(message['metadata']) ? message['metadata'] : {}
    const model = details['model_slug']
    const isTool = role === 'tool' || (typeof message['recipient'] === 'string' && message['recipient'] !== 'all')
    yield turnRecord({
      session,
      title,
      id,
      position,
      role,
      text,
      time: readTime(message['create_time'] ?? value['create_time'], context.offsetAt),
      kind: isTool ? 'tool' : 'turn',
      ...(shown.has(id) || parent === null
        ? {}
        : { relations: [{ kind: 'replies_to', target: `${session}/${parent}` }] }),
      metadata: {
        ...(shown.has(id) ? {} : { branch: 'other' }),
        ...(typeof model === 'string' ? { model } : {}),
        ...(attachments.length === 0 ? {} : { attachments }),
      },
    })
  }
  if (count === 0) yield left('empty', place, 'holds no message')
}

/** From the node that the app shows up to the root; of a file without this node, the branch of the last leaf. */
function shownBranch(mapping: Readonly<Record<string, unknown>>, current: unknown): ReadonlySet<string> {
  const branch = new Set<string>()
  const leaf = Object.keys(mapping).findLast((id) => childrenOf(mapping[id]).length === 0)
  let id: unknown = typeof current === 'string' && Object.hasOwn(mapping, current) ? current : leaf
  while (typeof id === 'string' && Object.hasOwn(mapping, id) && !branch.has(id)) {
    branch.add(id)
    const node: unknown = mapping[id]
    id = isObject(node) ? node['parent'] : undefined
  }
  return branch
}

/** All nodes: those of the branch from the root on, then the others by their depth. A loop of parents ends. */
function ordered(mapping: Readonly<Record<string, unknown>>, shown: ReadonlySet<string>) {
  const order = [...shown].toReversed().map((id, position) => ({ id, position }))
  const positions = new Map(order.map(({ id, position }) => [id, position]))
  for (const id of Object.keys(mapping)) {
    const chain: string[] = []
    let next: unknown = id
    while (
      typeof next === 'string' &&
      Object.hasOwn(mapping, next) &&
      !positions.has(next) &&
      !chain.includes(next) &&
      chain.length < 10_000
    ) {
      chain.push(next)
      const node: unknown = mapping[next]
      next = isObject(node) ? node['parent'] : undefined
    }
    let position = typeof next === 'string' ? (positions.get(next) ?? -1) : -1
    for (const one of chain.toReversed()) {
      position++
      positions.set(one, position)
      order.push({ id: one, position })
    }
  }
  return order
}

const childrenOf = (node: unknown) => (isObject(node) && Array.isArray(node['children']) ? node['children'] : [])

interface Content {
  readonly text: string
  readonly attachments: readonly string[]
  readonly unknown: string | null
}

function contentOf(message: Json): Content {
  const content = message['content']
  const details = isObject(message['metadata']) ? message['metadata'] : {}
  const files = Array.isArray(details['attachments']) ? details['attachments'] : []
  const attachments = files.map((file) =>
    isObject(file) && typeof file['name'] === 'string' ? file['name'] : 'unnamed',
  )
  if (typeof content === 'string') return { text: content, attachments, unknown: null }
  if (!isObject(content)) return { text: '', attachments, unknown: null }
  const texts: string[] = []
  const { parts, text, result, thoughts } = content
  for (const part of Array.isArray(parts) ? parts : []) {
    if (typeof part === 'string') texts.push(part)
    else if (isObject(part) && typeof part['text'] === 'string') texts.push(part['text'])
    else if (isObject(part) && 'asset_pointer' in part) attachments.push(String(part['asset_pointer']))
    else if (isObject(part)) texts.push(textOf(part))
  }
  for (const one of [text, result, content['content']]) if (typeof one === 'string') texts.push(one)
  for (const thought of Array.isArray(thoughts) ? thoughts : [])
    if (isObject(thought)) texts.push(textOf(thought['summary']), textOf(thought['content']))
  const whole = texts.filter((one) => one.trim() !== '').join('\n\n')
  const isKnown =
    parts !== undefined || text !== undefined || result !== undefined || thoughts !== undefined || whole !== ''
  const type = String(content['content_type'])
  if (type === 'user_editable_context' || type === 'model_editable_context') {
    const memory = [content['user_profile'], content['user_instructions'], content['model_set_context']]
      .map(textOf)
      .filter((one) => one !== '')
    if (memory.length > 0) return { text: memory.join('\n\n'), attachments, unknown: null }
  }
  return { text: whole, attachments, unknown: isKnown ? null : `has content of a type that cannot be read: ${type}` }
}
