/** Random records, and scopes that some of them match. */
import type { Scope } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { Random } from './random.ts'
import { startOfTime } from '../stores/open-engine.ts'

export type Stored = RecordInput & { readonly id: string }

/** Every record holds the word, half of them name a file, half a symbol. */
export const word = 'jay'
export const path = 'src/nest.ts'
export const symbol = 'NestError'

const names = ['a', 'A', 'á', 'a\u0301', ' a', 'b%', 'b_', 'b\'"', '', '😀', '\uffee', 'n\0l', '["a"]'] as const
/** Numbers whose texts have another order, and neighbours that only all their digits tell apart. */
const sizes = [0, 1, 2, 10, -3, 0.1, 0.30000000000000004, 0.3, 1e21, 9007199254740991] as const
const statuses = ['active', 'proposed', 'superseded', 'deprecated', 'conflicted'] as const

export function randomRecord(random: Random, i: number): Stored {
  const name = () => (random.below(3) === 0 ? null : random.pick(names.slice(0, 1 + random.below(names.length))))
  const tags = random.shuffled(names.filter((tag) => tag !== '')).slice(0, random.below(5))
  return {
    id: `${random.pick(['r', '😀', '\uffee', 'r\0'])}${i}`,
    body: `${word} ${random.pick(['acorn', 'winter', ''])}`,
    files: random.below(2) === 0 ? [{ path }] : [],
    terms: random.below(2) === 0 ? [{ term: symbol, kind: 'symbol' }] : [],
    kind: random.pick(['note', 'decision', 'Note']),
    project: name(),
    topic: name(),
    agent: name(),
    bank: name(),
    session: name(),
    status: random.pick(statuses),
    tags,
    createdAt: startOfTime + random.below(6),
    updatedAt: startOfTime + random.below(6),
    occurredAt: random.below(3) === 0 ? null : startOfTime + random.below(6) - 0.5,
    validUntil: random.below(5) === 0 ? startOfTime - 1 : null,
    metadata:
      random.below(2) === 0
        ? {}
        : {
            size: random.pick(sizes),
            flag: random.below(2) === 0,
            name: random.pick([...names, ...names, 1, true, ['a'], null]),
            '1': 1,
          },
    vectors: random.vector(4),
  }
}

/** One to three conditions; values mostly such that some record has them. */
export function randomScope(random: Random, records: readonly Stored[]): Scope {
  const pick = () => random.pick(records)
  const field = random.pick(['project', 'kind', 'topic', 'agent', 'bank', 'session', 'status'] as const)
  const some = <T>(value: T | null | undefined): T[] => (value === null || value === undefined ? [] : [value])
  const tag = () => random.pick([...(pick().tags ?? []), ...names])
  const conditions: (() => Scope)[] = [
    () => ({ [field]: pick()[field] ?? 'a' }),
    () => ({ [field]: [...some(pick()[field]), ...some(pick()[field])] }),
    () => ({ tags: { any: random.below(6) === 0 ? [] : [tag(), tag()] } }),
    () => ({ tags: { all: random.below(6) === 0 ? [] : [tag()] } }),
    () => ({ tags: { none: [tag(), tag()] } }),
    () => ({ tags: { any: [tag(), tag(), tag()], all: [tag()].slice(random.below(2)), none: [tag()] } }),
    () => ({ time: { after: startOfTime + random.below(6) } }),
    () => ({ time: { before: startOfTime + random.below(7), after: startOfTime + random.below(4) } }),
    () => ({
      time: {
        of: random.pick(['createdAt', 'updatedAt', 'occurredAt'] as const),
        after: random.below(3) === 0 ? undefined : startOfTime + random.below(4),
        before: random.below(3) === 0 ? undefined : startOfTime + 2 + random.below(5),
      },
    }),
    () => ({ metadata: { size: random.below(6) === 0 ? [] : [random.pick(sizes), random.pick(sizes), 'a'] } }),
    () => ({ metadata: { name: [random.pick(names), true, 1] } }),
    () => ({ metadata: { size: { from: random.pick(sizes) } } }),
    () => ({ metadata: { size: { from: random.pick(sizes), before: random.pick(sizes) }, flag: [false] } }),
    () => ({ metadata: { name: { before: random.pick(names), from: random.pick([undefined, ...names]) } } }),
    () => ({ ids: random.below(8) === 0 ? [] : [pick().id, pick().id, 'nobody'] }),
    () => ({ metadata: { size: random.pick(sizes) } }),
    () => ({ metadata: { flag: true, name: random.pick(names) } }),
    () => ({}),
  ]
  return Object.assign({}, ...Array.from({ length: 1 + random.below(3) }, () => random.pick(conditions)()))
}

export function tagsOf(records: readonly Stored[]): { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags = [] } of records) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || compareCodePoints(a.tag, b.tag))
}
