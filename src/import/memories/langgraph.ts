/** Reads items of a LangGraph store: lists of `search`, or rows of its table. Ids are those of `RecallStore`, which finds the items again. */
import type { Metadata } from '../../core/model/record.ts'
import { jsonParts } from '../files/json-parts.ts'
import { linesOf } from '../files/lines.ts'
import { readTime } from '../notes/dates.ts'
import { type Context, left, type Part, type Reader } from '../reading/reader.ts'
import { isObject, type Json } from '../tables/json.ts'

export const langgraph: Reader = {
  kind: 'langgraph',
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) &&
    /"(?:namespace|prefix)"\s*:/.test(text) &&
    /"key"\s*:/.test(text) &&
    /"value"\s*:/.test(text),
  async *read({ sample, texts }, context) {
    if (/^\s*\{[^\n]*\}\s*(?:\n|$)/.test(sample.text)) {
      let number = 0
      for await (const line of linesOf(texts())) {
        number++
        if (line.trim() === '') continue
        try {
          yield itemOf(JSON.parse(line), `line ${number}`, context)
        } catch (error) {
          yield left('damaged', `line ${number}`, error instanceof Error ? error.message : 'must be JSON')
        }
      }
      return
    }
    for await (const { value, problem, index, key } of jsonParts(texts())) {
      const place = `${key ?? 'item'} ${(index ?? 0) + 1}`
      yield problem === null ? itemOf(value, place, context) : left('damaged', place, problem)
    }
  },
}

function itemOf(item: unknown, place: string, { offsetAt }: Context): Part {
  if (!isObject(item)) return left('damaged', place, 'must be an object')
  const given = item['namespace'] ?? item['prefix']
  const namespace = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? given.split('.') : null
  const { key, value } = item
  if (namespace === null || typeof key !== 'string' || !isObject(value))
    return left('damaged', place, 'must have a namespace, a key and a value')
  const text = textsIn(value).join('\n').trim()
  if (text === '') return left('empty', place, 'holds no text')
  const created = readTime(item['createdAt'] ?? item['created_at'], offsetAt)
  const json = JSON.stringify(value)
  // The same form as that of `scrubjay/langgraph`.
  const isLarge = new TextEncoder().encode(json).length > 11_000
  return {
    id: `langgraph:${JSON.stringify([namespace, key])}`,
    kind: 'item',
    bank: 'langgraph',
    body: isLarge ? json : text,
    tags: [
      `at:${JSON.stringify(namespace)}`,
      ...namespace.map((_, i) => `in:${JSON.stringify(namespace.slice(0, i + 1))}`),
    ],
    ...(created === undefined
      ? {}
      : { createdAt: created, updatedAt: readTime(item['updatedAt'] ?? item['updated_at'], offsetAt) ?? created }),
    metadata: { item: { namespace, key, ...(isLarge ? {} : { value: value as Metadata }) } },
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value as Json).flatMap(textsIn) : []
}
