/**
 * [Q4] Checks that tag-scoped recall is exact: any, all and none of some tags, combined with project, time and status,
 * answer in the order of every member's cosine, however many other records are closer to the question.
 */
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sizedTo } from '../support/data/sized.ts'
import { oracleRecordOf } from '../support/oracles/oracle-record.ts'
import { secondBrainRanking, tagScopedRanking } from '../support/oracles/second-brain.ts'
import { isInScope } from '../support/scope-oracle.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const storeCount = sizedTo(400, 1000)
const storesPerWalk = 50
const firstSeed = 7100
const space = { name: 'eight', dimensions: 8 }
/** Only the question and the scope decide. */
const balanced = { ...policies.balanced, gateStatus: false }
/** Pure cosine, for a policy that would apply decay to it. */
const pure = { ...policies.secondBrain, decay: false }

type Stored = RecordInput & { readonly id: string }

const tried = [
  ['balanced', balanced],
  ['secondBrain without decay', pure],
] as const

const seeds = Array.from({ length: storeCount / storesPerWalk / 4 }, (_, i) => firstSeed + 4 * i)

it.each(seeds)(`[Q4] equals brute force on ${4 * storesPerWalk} random stores, four seeds from %i`, async (first) => {
  const { call } = await openEngine({ policy: balanced, space })
  const tally = { stores: 0, members: 0, cut: 0 }
  for (let seed = first; seed < first + 4; seed++) {
    const random = createRandom(seed)
    let records: readonly Stored[] = []
    for (let step = 0; step < storesPerWalk; step++) {
      records = await nextStore(call, random, records, `${seed}.${step}.`)
      const scope = randomScope(random)
      const vector = random.vector(8)
      const limit = random.pick([1, 3, 10, 1000])
      const expected = tagScopedRanking(records, scope, vector)
      for (const [name, policy] of tried) {
        const query = { vector: vector.slice(), scope, limit, policy, collapse: 'none' as const }
        const { hits, plan } = await call('recall', { query })
        const what = `${name}, seed ${seed}, step ${step}, scope ${JSON.stringify(scope)}`
        expect(idsOf(hits), what).toEqual(idsOf(expected.slice(0, limit)))
        expect(plan.channels.vector, what).toMatchObject({ ran: true, complete: true })
      }
      tally.stores++
      tally.members += expected.length
      if (expected.length > limit) tally.cut++
    }
    await call('forget', { ids: idsOf(records) })
  }
  expect(tally.stores).toBe(4 * storesPerWalk)
  expect(tally.members).toBeGreaterThan(tally.stores)
  expect(tally.cut).toBeGreaterThan(tally.stores / 10)
})

it('[Q4] control: a filter after a cut of the nearest loses members', () => {
  const random = createRandom(firstSeed)
  let missed = 0
  for (let store = 0; store < 100; store++) {
    const records = Array.from({ length: 20 }, (_, i) => randomRecord(random, `${i}`))
    const scope = { tags: { any: ['work'] } }
    const vector = random.vector(8)
    const nearest = idsOf(tagScopedRanking(records, {}, vector).slice(0, 10))
    missed += idsOf(tagScopedRanking(records, scope, vector)).filter((id) => !nearest.includes(id)).length
  }
  expect(missed).toBeGreaterThan(100)
})

describe('a store of 5,000 with 5, 50 and 500 members', async () => {
  const size = 5000
  const shares = [
    ['0.1 %', 'rare', 1000],
    ['1 %', 'some', 100],
    ['10 %', 'many', 10],
  ] as const
  const random = createRandom(firstSeed)
  const records = Array.from({ length: size }, (_, i): Stored => {
    const tags = shares.flatMap(([, tag, every]) => (i % every === 7 ? [tag] : []))
    return {
      id: `m${i}`,
      body: `jay ${i}`,
      tags,
      createdAt: startOfTime,
      updatedAt: startOfTime,
      vectors: random.vector(8),
    }
  })
  const { call } = await openEngine({ policy: balanced, space })
  for (let from = 0; from < size; from += 1000) {
    await call('put', { batch: records.slice(from, from + 1000).map(withOwnVector) })
  }
  const vectors = Array.from({ length: 10 }, () => random.vector(8))

  describe.each(tried)('%s', (_name, policy) => {
    it.each(shares)('[Q4] finds every member, recall 1.000 at %s', async (_share, tag, every) => {
      const scope = { tags: { all: [tag] } }
      for (const vector of vectors) {
        const expected = idsOf(tagScopedRanking(records, scope, vector))
        expect(expected.length).toBe(size / every)
        for (const limit of [3, 1000]) {
          const query = { vector: vector.slice(), scope, limit, policy, collapse: 'none' as const }
          const { hits } = await call('recall', { query })
          expect(idsOf(hits)).toEqual(expected.slice(0, limit))
        }
      }
    })
  })

  // Columns by key must reach the last key, also where all records have the default value.
  it.each(shares)('[G1] secondBrain scores every member, at %s', async (_share, tag) => {
    const scope = { tags: { all: [tag] } }
    const now = startOfTime + 10 * dayMs
    const members = records.filter((record) => isInScope(record, scope)).map(oracleRecordOf)
    for (const vector of vectors) {
      const query = { vector: vector.slice(), scope, limit: 1000, policy: 'secondBrain', now }
      const { hits } = await call('recall', { query })
      expect(idsOf(hits)).toEqual(idsOf(secondBrainRanking(members, vector, now)))
    }
  })

  it('[Q4] control: of the 50 nearest in the store few are members', () => {
    for (const [, tag, every] of shares) {
      for (const vector of vectors) {
        const nearest = tagScopedRanking(records, {}, vector).slice(0, 50)
        const members = nearest.filter(({ id }) => records[Number(id.slice(1))]?.tags?.includes(tag))
        expect(members.length).toBeLessThan(size / every / 2)
      }
    }
  })
})

describe('secondBrain', () => {
  it('scores cosine × decay × importance, in scope and without one', async () => {
    const { call } = await openEngine({ policy: balanced, space })
    const now = startOfTime + 40 * dayMs
    for (let seed = firstSeed; seed < firstSeed + 50; seed++) {
      const random = createRandom(seed)
      const records = await nextStore(call, random, [], `${seed}.`)
      for (const scope of [{}, { tags: { any: ['task', 'work'] } }]) {
        const vector = random.vector(8)
        const members = records.filter((record) => isInScope(record, scope)).map(oracleRecordOf)
        const expected = secondBrainRanking(members, vector, now)
        const query = { vector: vector.slice(), scope, limit: 1000, policy: 'secondBrain', now }
        const { hits } = await call('recall', { query })
        expect(idsOf(hits), `seed ${seed}`).toEqual(idsOf(expected))
        for (const [i, { score }] of hits.entries()) {
          expect(Math.abs(score - (expected[i]?.score ?? NaN)), `seed ${seed}`).toBeLessThan(1e-12)
        }
      }
      await call('forget', { ids: idsOf(records) })
    }
  })

  it('control: another half-life gives another order', () => {
    const random = createRandom(firstSeed)
    const members = Array.from({ length: 30 }, (_, i) => oracleRecordOf(randomRecord(random, `${i}`)))
    const vector = random.vector(8)
    const now = startOfTime + 40 * dayMs
    const other = { halfLives: [['task', 60]] as const, otherHalfLife: 30 }
    expect(secondBrainRanking(members, vector, now, {}, other)).not.toEqual(secondBrainRanking(members, vector, now))
  })
})

const dayMs = 86_400_000
const tags = ['task', 'context', 'work', 'é', '["work"]']
const projects = ['jay', 'wren']
const statuses = ['active', 'proposed', 'superseded', 'deprecated', 'conflicted'] as const

/** A store of 4..25 records: some more records than the last one, or a new one. */
async function nextStore(
  call: TestEngine['call'],
  random: Random,
  records: readonly Stored[],
  name: string,
): Promise<readonly Stored[]> {
  if (records.length > 12 && random.below(2) === 0) {
    const ids = idsOf(random.shuffled(records)).slice(0, 1 + random.below(8))
    await call('forget', { ids })
    return records.filter(({ id }) => !ids.includes(id))
  }
  const added = Array.from({ length: records.length === 0 ? 10 : 1 + random.below(5) }, (_, i) =>
    randomRecord(random, `${name}${i}`, records),
  )
  await call('put', { batch: added.map(withOwnVector) })
  return [...records, ...added]
}

/** Sometimes with the vector of another record, so that cosines tie. */
function randomRecord(random: Random, name: string, others: readonly Stored[] = []): Stored {
  const createdAt = startOfTime + random.below(6) * dayMs
  return {
    id: `${random.pick(['a', 'Z', '😀', '\uffee'])}${name}`,
    body: `jay ${name}`,
    tags: random.shuffled(tags).slice(0, random.below(4)),
    project: random.pick([...projects, null]),
    status: random.pick(statuses),
    importance: random.pick([1, 1, 2, 0.5]),
    createdAt,
    updatedAt: createdAt + random.below(2) * dayMs,
    vectors: (others.length > 0 && random.below(5) === 0 ? random.pick(others).vectors : undefined) ?? random.vector(8),
  }
}

/** A condition on tags, and mostly one or two others. */
function randomScope(random: Random): Scope {
  const some = () => random.shuffled(tags).slice(0, 1 + random.below(2))
  const others: (() => Scope)[] = [
    () => ({ project: random.pick(projects) }),
    () => ({ project: [...projects] }),
    () => ({ time: { after: startOfTime + random.below(4) * dayMs } }),
    () => ({ time: { before: startOfTime + (2 + random.below(5)) * dayMs } }),
    () => ({ status: random.pick(statuses) }),
    () => ({ status: ['active', 'superseded', 'deprecated'] }),
    () => ({}),
  ]
  const tagged = random.pick<NonNullable<Scope['tags']>>([
    { any: some() },
    { all: some() },
    { none: some() },
    { any: some(), none: [random.pick(tags)] },
    { any: some(), all: [random.pick(tags)], none: [random.pick(tags)] },
  ])
  return { tags: tagged, ...random.pick(others)(), ...random.pick(others)() }
}

/** Engines may transfer a vector with a message. */
function withOwnVector(record: Stored): Stored {
  return { ...record, vectors: (record.vectors as Float32Array).slice() }
}

function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id)
}
