/** Reads memories of mem0: a list, or `{ results }`, as its API, its export (`created_at`) and its library for Node (`createdAt`) give them. */
import { jsonParts } from '../files/json-parts.ts'
import { readTime } from '../notes/dates.ts'
import { metadataOf } from '../notes/front-matter.ts'
import { left, type Reader } from '../reading/reader.ts'
import { isObject, textOf } from '../tables/json.ts'

const used = new Set([
  'id',
  'memory',
  'created_at',
  'updated_at',
  'createdAt',
  'updatedAt',
  'agent_id',
  'agentId',
  'run_id',
  'runId',
  'categories',
  'metadata',
  'hash',
  'score',
])

export const mem0: Reader = {
  kind: 'mem0',
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) &&
    /"memory"\s*:\s*"/.test(text) &&
    /"(?:hash|user_id|agent_id|run_id|created_at|createdAt|userId|id)"\s*:/.test(text),
  async *read({ texts }, { offsetAt }) {
    for await (const { key, index, value, problem } of jsonParts(texts())) {
      const place = `${key ?? 'memory'} ${(index ?? 0) + 1}`
      if (problem !== null) yield left('damaged', place, problem)
      else if (index === null || key === 'relations') yield left('unknown', key, 'must be a memory')
      else if (!isObject(value)) yield left('damaged', place, 'must be an object')
      else if (textOf(value['memory']).trim() === '') yield left('empty', place, 'holds no text')
      else {
        const created = readTime(value['created_at'] ?? value['createdAt'], offsetAt)
        const updated = readTime(value['updated_at'] ?? value['updatedAt'], offsetAt)
        const { metadata, categories } = value
        const agent = value['agent_id'] ?? value['agentId']
        const run = value['run_id'] ?? value['runId']
        yield {
          id: `mem0:${textOf(value['id']) || textOf(value['memory']).slice(0, 400)}`,
          kind: 'memory',
          body: textOf(value['memory']),
          source: 'mem0',
          tags: Array.isArray(categories) ? categories.map(textOf).filter((tag) => tag !== '') : [],
          ...(typeof agent === 'string' && agent !== '' ? { agent } : {}),
          ...(typeof run === 'string' && run !== '' ? { session: run } : {}),
          ...(created === undefined ? {} : { createdAt: created, updatedAt: updated ?? created }),
          metadata: {
            ...(isObject(metadata) ? metadataOf(new Map(Object.entries(metadata)), new Set()) : {}),
            ...metadataOf(new Map(Object.entries(value)), used),
          },
        }
      }
    }
  },
}
