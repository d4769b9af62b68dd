/** [Q4] Random scopes over random stores against a brute-force filter: recall, list, count and tags find exactly those. */
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { compareCodePoints } from '../../src/core/text/order.ts'
import { openEngine, startOfTime } from '../support/open-engine.ts'
import { createRandom, type Random } from '../support/random.ts'
import { isInScope } from '../support/scope-oracle.ts'

const storeCount = 500
const firstSeed = 4000
const policy = { ...policies.balanced, gateStatus: false }
const space = { name: 'four', dimensions: 4 }

type Stored = RecordInput & { readonly id: string }

describe(`${storeCount} random stores`, () => {
  it('[Q4] every filter finds exactly what brute force finds', async () => {
    const { call } = await openEngine({ policy, space, metadataKeys: ['size', 'flag', 'name'] })
    const tally = { found: 0, empty: 0 }
    for (let seed = firstSeed; seed < firstSeed + storeCount; seed++) {
      const random = createRandom(seed)
      const records = Array.from({ length: 4 + random.below(10) }, (_, i) => randomRecord(random, i))
      await call('put', { batch: records })
      for (let i = 0; i < 2; i++) await check(records, randomScope(random, records), random.vector(4), seed)
      await call('forget', { ids: records.map(({ id }) => id) })
    }
    // Neither all scopes hold nothing nor all hold something.
    expect(tally.found).toBeGreaterThan(1000)
    expect(tally.empty).toBeGreaterThan(100)

    async function check(records: readonly Stored[], scope: Scope, vector: Float32Array, seed: number): Promise<void> {
      const expected = records.filter((record) => isInScope(record, scope))
      const ids = expected.map(({ id }) => id).sort(compareCodePoints)
      const found = async (query: object) => {
        const { hits, plan } = await call('recall', { query: { scope, limit: 1000, collapse: 'none', ...query } })
        expect(plan.scope).toBe(ids.length)
        return hits.map(({ id }) => id).sort(compareCodePoints)
      }
      const what = `seed ${seed}, scope ${JSON.stringify(scope)}`
      expect(await found({ text: 'jay' }), what).toEqual(ids)
      expect(await found({ vector }), what).toEqual(ids)
      expect(await found({}), what).toEqual(ids)
      expect(await call('count', { scope }), what).toBe(ids.length)
      const { items } = await call('list', { filter: { ...scope, limit: 1000 } })
      expect(items.map(({ id }) => id).sort(compareCodePoints), what).toEqual(ids)
      expect(await call('tags', { scope }), what).toEqual(tagsOf(expected))
      tally.found += ids.length
      if (ids.length === 0) tally.empty++
    }
  })

  it('[Q4] control: a filter that takes one record more or less is told apart', () => {
    const random = createRandom(firstSeed)
    const records = Array.from({ length: 25 }, (_, i) => randomRecord(random, i))
    const withBound = records.filter((record) => isInScope(record, { time: { after: startOfTime + 2 } }))
    expect(records.some(({ createdAt }) => createdAt === startOfTime + 2)).toBe(true)
    expect(withBound.length).not.toBe(records.filter(({ createdAt = 0 }) => createdAt > startOfTime + 2).length)
  })
})

const names = ['a', 'A', 'á', 'a\u0301', ' a', 'b%', 'b_', 'b\'"', '', '😀', '\uffee', 'n\0l', '["a"]'] as const
const statuses = ['active', 'proposed', 'superseded', 'deprecated', 'conflicted'] as const

function randomRecord(random: Random, i: number): Stored {
  const name = () => (random.below(3) === 0 ? null : random.pick(names.slice(0, 1 + random.below(names.length))))
  const tags = random.shuffled(names.filter((tag) => tag !== '')).slice(0, random.below(5))
  return {
    id: `${random.pick(['r', '😀', '\uffee', 'r\0'])}${i}`,
    body: `jay ${random.pick(['acorn', 'winter', ''])}`,
    kind: random.pick(['note', 'decision', 'Note']),
    project: name(),
    topic: name(),
    agent: name(),
    bank: name(),
    session: name(),
    status: random.pick(statuses),
    tags,
    createdAt: startOfTime + random.below(6),
    validUntil: random.below(5) === 0 ? startOfTime - 1 : null,
    metadata:
      random.below(2) === 0
        ? {}
        : { size: random.below(3), flag: random.below(2) === 0, name: random.pick(names), '1': 1 },
    vectors: random.vector(4),
  }
}

/** One to three conditions; values mostly such that some record has them. */
function randomScope(random: Random, records: readonly Stored[]): Scope {
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
    () => ({ ids: random.below(8) === 0 ? [] : [pick().id, pick().id, 'nobody'] }),
    () => ({ metadata: { size: random.below(3) } }),
    () => ({ metadata: { flag: true, name: random.pick(names) } }),
    () => ({}),
  ]
  return Object.assign({}, ...Array.from({ length: 1 + random.below(3) }, () => random.pick(conditions)()))
}

function tagsOf(records: readonly Stored[]): { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags = [] } of records) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || compareCodePoints(a.tag, b.tag))
}
