/** A row of a table, or an object of a list, as a record: by the names that columns usually have; all other columns are its text. */
import type { RecordInput } from '../../core/model/record.ts'
import { storedFields } from '../../core/model/record.ts'
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { readTime } from '../notes/dates.ts'
import { plain } from '../notes/front-matter.ts'
import { type Context, fileId, left, type Part, type SourceFile } from '../reading/reader.ts'
import { isObject, type Json, textOf } from './json.ts'

const names = {
  id: ['id', 'uuid', '_id', 'guid', 'key'],
  title: ['title', 'name', 'subject', 'heading', 'question', 'headline'],
  body: ['body', 'text', 'content', 'memory', 'note', 'notes', 'message', 'description', 'answer', 'summary'],
  created: ['createdat', 'created_at', 'created', 'date', 'time', 'timestamp', 'datetime', 'published', 'create_time'],
  updated: ['updatedat', 'updated_at', 'updated', 'modified', 'last_modified'],
  tags: ['tags', 'labels', 'categories', 'keywords', 'tag', 'category'],
} as const

const ownFields = new Set<string>(storedFields)

/** `taken` counts rows of the same content, which have no id of their own. */
export function rowPart(
  value: unknown,
  place: string,
  file: SourceFile,
  { offsetAt }: Context,
  taken: Map<string, number>,
): Part {
  if (!isObject(value)) return left('unknown', place, 'must be an object with fields')
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined && one !== '')
  if (entries.length === 0) return left('empty', place, 'holds no value')
  const json = JSON.stringify(value)
  const digest = sha256Hex(json).slice(0, 16)
  if (isRecord(value)) return { ...(value as RecordInput), id: textOf(value['id']) || fileId(file, digest) }
  const byName = new Map(entries.map(([name, one]) => [name.trim().toLowerCase(), { name, one }]))
  const used = new Set<string>()
  const find = (keys: readonly string[]) => {
    const key = keys.find((one) => byName.has(one))
    if (key === undefined) return undefined
    const { name, one } = byName.get(key)!
    used.add(name)
    return one
  }
  const title = textOf(find(names.title))
  const body = textOf(find(names.body))
  const created = readTime(find(names.created), offsetAt)
  const updated = readTime(find(names.updated), offsetAt)
  const tags = find(names.tags)
  const own = textOf(find(names.id))
  const others = entries.filter(([name]) => !used.has(name))
  const lines = others.map(([name, one]) => `${name}: ${textOf(one)}`)
  const text = [body, lines.join('\n')].filter((one) => one !== '').join('\n\n')
  const count = (taken.get(digest) ?? 0) + 1
  taken.set(digest, count)
  return {
    id: fileId(file, own === '' ? `${digest}${count === 1 ? '' : `~${count}`}` : own),
    kind: 'row',
    ...(title === '' ? {} : { title }),
    ...(text === '' && title !== '' ? {} : { body: text === '' ? own : text }),
    source: fileId(file).slice('file:'.length),
    tags: (Array.isArray(tags) ? tags.map(textOf) : textOf(tags).split(/[,;|]/))
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    ...(created === undefined ? {} : { createdAt: created, updatedAt: updated ?? created }),
    metadata: Object.fromEntries(
      others.filter(([name]) => name !== '__proto__' && name !== 'import').map(([name, one]) => [name, plain(one)]),
    ),
  }
}

/** Whether it is a record of Scrubjay already: every field is one, and one of them is its text. */
function isRecord(value: Json): boolean {
  const fields = Object.keys(value)
  return (
    fields.every((field) => ownFields.has(field)) &&
    ['body', 'instruction', 'command'].some((field) => typeof value[field] === 'string')
  )
}
