/** An item of LangGraph as a record, and back. */
import { getTextAtPath, type Item, type PutOperation } from '@langchain/langgraph-checkpoint'
import { recallError } from '../core/model/errors.ts'
import type { Scope } from '../core/model/query.ts'
import type { Metadata, RecordInput, StoredRecord } from '../core/model/record.ts'

/** Bytes of metadata that a value may take; a larger one is in the body. */
const mostMetadata = 12_000

export function idOf(bank: string, namespace: readonly string[], key: string): string {
  return `${bank}:${JSON.stringify([namespace, key])}`
}

/** Throws `INVALID_RECORD` if JSON cannot hold the value. */
export function recordOf(
  bank: string,
  { namespace, key, value, index }: PutOperation,
  fields: readonly string[] | undefined,
): RecordInput {
  const json = jsonOf(value)
  const plain = JSON.parse(json) as Metadata
  const paths = index === false ? [] : (index ?? fields)
  const texts = paths === undefined ? textsIn(plain) : paths.flatMap((path) => getTextAtPath(plain, path))
  const text = texts.join('\n').trim()
  // The texts of a large value are not stored twice.
  const isLarge = index === undefined && fields === undefined && new TextEncoder().encode(json).length > mostMetadata
  return {
    id: idOf(bank, namespace, key),
    kind: 'item',
    bank,
    // A record needs a text. This one has no words.
    body: isLarge ? json : text === '' ? '·' : text,
    ...(text === '' ? { vectors: [] } : {}),
    tags: [atTag(namespace), ...namespace.map((_, i) => inTag(namespace.slice(0, i + 1)))],
    metadata: { item: { namespace, key, ...(isLarge ? {} : { value: plain }) } },
  }
}

function jsonOf(value: unknown): string {
  let reason: string | undefined
  try {
    const json = JSON.stringify(value) as string | undefined
    if (json !== undefined) return json
  } catch (error) {
    // A BigInt, a cycle, or a `toJSON` that throws.
    reason = error instanceof Error ? error.message : undefined
  }
  throw recallError('INVALID_RECORD', `must be JSON${reason === undefined ? '' : `: ${reason}`}`, {
    field: 'value',
    ...(reason === undefined ? { value } : {}),
    hint: 'Give plain objects, arrays, texts, numbers, booleans and null. Write a BigInt as text.',
  })
}

export function itemOf({ metadata, body, createdAt, updatedAt }: StoredRecord): Item {
  const { namespace, key, value } = metadata['item'] as unknown as Pick<Item, 'namespace' | 'key'> & Partial<Item>
  return {
    namespace: [...namespace],
    key,
    value: value ?? JSON.parse(body!),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

/** The items at or below a namespace; all for an empty one. */
export function scopeOf(bank: string, prefix: readonly string[]): Scope {
  return { bank, ...(prefix.length === 0 ? {} : { tags: { all: [inTag(prefix)] } }) }
}

const at = 'at:'

/** The namespace of an `at:` tag; null for other tags. */
export function namespaceOf(tag: string): string[] | null {
  return tag.startsWith(at) ? (JSON.parse(tag.slice(at.length)) as string[]) : null
}

function atTag(namespace: readonly string[]): string {
  return at + JSON.stringify(namespace)
}

function inTag(prefix: readonly string[]): string {
  return `in:${JSON.stringify(prefix)}`
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
