/** Reads the file of the MCP memory server: entities with their observations as records, relations between them as relations. */
import type { RelationRow } from '../../core/model/record.ts'
import { jsonLinesOf } from '../files/json-lines.ts'
import { left, type Reader } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'

const idOf = (name: string) => `mcp-memory:${name}`

export const mcpMemory: Reader = {
  kind: 'mcp-memory',
  recognises: ({ text }) =>
    /^\s*\{\s*"type"\s*:\s*"(?:entity|relation)"/.test(text) ||
    (/^\s*\{/.test(text) && /"entities"\s*:\s*\[/.test(text) && /"entityType"/.test(text)),
  async *read({ sample, texts, whole, file }) {
    const entities: Json[] = []
    const relations: { readonly value: Json; readonly place: string }[] = []
    const take = (value: unknown, type: unknown, place: string) => {
      if (isObject(value) && type === 'entity' && textOf(value['name']) !== '') entities.push(value)
      else if (isObject(value) && type === 'relation') relations.push({ value, place })
      else return left('unknown', place, 'is neither an entity nor a relation')
      return null
    }
    if (/^\s*\{\s*"type"/.test(sample.text)) {
      for await (const { place, value, problem } of jsonLinesOf(texts())) {
        const refused =
          problem === null
            ? take(value, isObject(value) ? value['type'] : null, place)
            : left('damaged', place, problem)
        if (refused !== null) yield refused
      }
    } else {
      const value = JSON.parse(await whole()) as Json
      for (const [list, type] of [
        ['entities', 'entity'],
        ['relations', 'relation'],
      ] as const)
        for (const [i, one] of (Array.isArray(value[list]) ? value[list] : []).entries()) {
          const problem = take(one, type, `${list}[${i}]`)
          if (problem !== null) yield problem
        }
    }
    const names = new Set(entities.map(({ name }) => textOf(name)))
    const from = new Map<string, RelationRow[]>()
    for (const { value, place } of relations) {
      const [source, target] = [textOf(value['from']), textOf(value['to'])]
      if (!names.has(source) || target === '') yield left('damaged', place, 'begins at an entity that the file lacks')
      else {
        from.set(source, [
          ...(from.get(source) ?? []),
          { kind: (textOf(value['relationType']) || 'relates_to').slice(0, 256), target: idOf(target) },
        ])
        yield { joined: 1 }
      }
    }
    const { modifiedMs } = file
    for (const entity of entities) {
      const name = textOf(entity['name'])
      const observations = Array.isArray(entity['observations']) ? entity['observations'].map(textOf) : []
      yield {
        id: idOf(name),
        kind: 'memory',
        title: name.replaceAll('_', ' '),
        body: observations.join('\n'),
        source: 'mcp-memory',
        tags: textOf(entity['entityType']) === '' ? [] : [textOf(entity['entityType'])],
        relations: from.get(name) ?? [],
        ...(modifiedMs === null ? {} : { createdAt: modifiedMs, updatedAt: modifiedMs }),
        metadata: { entity: name },
      }
    }
  },
}
