/**
 * [F1] [F2] [G1] [G2] [G3] Decides from captured facts: what permuted, raised and extreme values may and may not
 * change.
 */
import { describe, expect, it } from 'vitest'
import { type Decision, decide } from '../../../src/core/decide.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { besides, permuted, raised } from '../../support/data/changed-facts.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { everyPolicy, otherPolicies } from '../../support/stores/every-policy.ts'
import { goldenNow, goldenQueries, goldenRecords, goldenSpace } from '../../support/stores/golden-store.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const { call } = await openEngine({ space: goldenSpace })
await call('put', { batch: goldenRecords() }, goldenNow)

/** Every row eligible, read and exact: all that a recall could look at. */
async function capture(query: RecallQuery): Promise<CapturedFacts> {
  const { facts } = await call(
    'recall',
    { query: { ...query, limit: 1000, collapse: 'none', capture: true } },
    goldenNow,
  )
  return facts as CapturedFacts
}

function decided(plan: QueryPlan, facts: Facts): Decision {
  const decision = decide(plan, facts)
  if ('need' in decision) throw new Error('captured facts are complete')
  return decision
}

const queries = goldenQueries().filter(([name]) => !name.startsWith('nothing'))

describe('a decision', () => {
  it.each(queries)('[F1] does not depend on the order of candidates: %s', async (_name, query) => {
    const { plan, facts } = await capture(query)
    for (const limit of [5, 1000]) {
      for (const collapse of ['exact', 'none'] as const) {
        const asked = { ...plan, limit, query: { ...plan.query, limit, collapse, explain: true } }
        const expected = canonicalJson(decided(asked, facts))
        for (let seed = 1; seed <= 2; seed++)
          expect(canonicalJson(decided(asked, permuted(facts, seed)))).toBe(expected)
      }
    }
  })

  it('[F1] control: other facts give another decision', async () => {
    const { facts } = await capture({ text: 'memory engine' })
    expect(permuted(facts, 1).candidates.ids).not.toEqual(facts.candidates.ids)
  })

  it.each(['lexical', 'pairs', 'terms', 'paths', 'cosine'] as const)(
    '[F2] never ranks a row lower for a better %s',
    async (column) => {
      const random = createRandom(2)
      const query = { text: 'memory engine in src/nest.ts EggError', vector: random.vector(32) }
      const { plan, facts } = await capture(query)
      const before = scoresOf(decided(plan, facts))
      let rose = 0
      for (let trial = 0; trial < sized(30); trial++) {
        const row = random.below(facts.candidates.length)
        const id = facts.candidates.ids[row]!
        const after = scoresOf(decided(plan, raised(facts, column, row, random.next())))
        if (!before.has(id)) continue
        expect(after.get(id)).toBeGreaterThanOrEqual(before.get(id)!)
        if (after.get(id)! > before.get(id)!) rose++
        for (const [other, score] of after) {
          if (other === id) continue
          const own = before.get(other)!
          // Neighbours may gain; no other row changes.
          if (besides(facts, row).has(other)) expect(score).toBeGreaterThanOrEqual(own)
          else expect(score).toBe(own)
        }
      }
      expect(rose).toBeGreaterThan(sized(30) / 3)
    },
  )

  it.each(queries)('[G3] has scores that are exactly the sums of their contributions: %s', async (_name, query) => {
    const { hits } = await call('recall', { query }, goldenNow)
    for (const hit of hits) checkSum(hit)
  })
})

describe.each(otherPolicies)('a decision under %s', async (_name, policy) => {
  const random = createRandom(45)
  const asked: RecallQuery[] = [
    { text: 'memory engine in src/nest.ts EggError', vector: random.vector(32), prefer: { project: 'jay' } },
    { text: 'latest acorn cache', files: ['nest'] },
    { vector: random.vector(32) },
    {},
  ]

  it.each(asked)('[F1] does not depend on the order of candidates: %j', async (query) => {
    const { plan, facts } = await capture({ ...query, policy })
    for (const collapse of ['near', 'none'] as const) {
      const question = { ...plan, limit: 20, query: { ...plan.query, limit: 20, collapse, explain: true } }
      const expected = canonicalJson(decided(question, facts))
      expect(canonicalJson(decided(question, permuted(facts, 1)))).toBe(expected)
    }
  })

  it('[F2] never ranks a row lower for a better channel score', async () => {
    const { plan, facts } = await capture({ ...asked[0]!, policy })
    const before = scoresOf(decided(plan, facts))
    let judged = 0
    for (const column of ['lexical', 'terms', 'paths', 'cosine'] as const) {
      for (let trial = 0; trial < 4; trial++) {
        const row = random.below(facts.candidates.length)
        const id = facts.candidates.ids[row]!
        const own = before.get(id)
        const decision = decide(plan, raised(facts, column, row, random.next()))
        // Of a raised row, a staged policy may need the text of a record that the capture did not read.
        if (own === undefined || 'need' in decision) continue
        judged++
        expect(scoresOf(decision).get(id)).toBeGreaterThanOrEqual(own)
      }
    }
    expect(judged).toBeGreaterThan(0)
  })

  it.each(asked)('[G3] has scores that are exactly the sums of their contributions: %j', async (query) => {
    const { hits } = await call('recall', { query: { ...query, policy, limit: 1000, collapse: 'none' } }, goldenNow)
    for (const hit of hits) checkSum(hit)
  })
})

describe('[G2] age', () => {
  const stepsMs = [0, 1, 1000, 6e4, 36e5, 864e5, 7 * 864e5, 30 * 864e5, 365 * 864e5, 1e13]
  const born = Date.UTC(2026, 0, 1)
  const fading: readonly (readonly [string, Decision['hits'][number]['contributions'][number]['signal'][]])[] = [
    ['tokenpak', ['recency']],
    ['secondBrain', ['cosine', 'lexical', 'decay']],
  ]

  it.each(fading)('never raises a decaying score under %s, and a future time counts as now', async (name, signals) => {
    const engine = await openEngine({ space: goldenSpace })
    const random = createRandom(46)
    const query = { text: 'jay', vector: random.vector(32), policy: name, limit: 100 }
    const batch = Array.from({ length: 30 }, (_, i) => ({
      id: `r${i}`,
      body: `jay ${i}`,
      tags: random.pick([['task'], ['work'], []]),
      vectors: random.pick([[], random.vector(32)]),
      createdAt: born + random.below(9) * 864e5,
      updatedAt: born + random.below(9) * 864e5,
    }))
    await engine.call('put', { batch }, born)
    const fadedAt = async (now: number) => {
      const { hits } = await engine.call('recall', { query: { ...query, now } })
      return new Map(
        hits.map(({ id, contributions }) => [
          id,
          Math.abs(
            contributions.filter(({ signal }) => signals.includes(signal)).reduce((sum, { amount }) => sum + amount, 0),
          ),
        ]),
      )
    }
    const early = await fadedAt(-8.64e15)
    expect(await fadedAt(born)).toEqual(early)
    let last = early
    for (const step of stepsMs) {
      const next = await fadedAt(born + 9 * 864e5 + step)
      for (const [id, amount] of next) expect(amount, `${id} at ${step}`).toBeLessThanOrEqual(last.get(id)!)
      last = next
    }
    // Control: some score decays.
    expect([...last.values()].some((amount, i) => amount < [...early.values()][i]!)).toBe(true)
  })
})

describe('extreme records', async () => {
  const extremes: RecordInput[] = [
    { body: 'jay', importance: 1e6, pressureRate: 1e6, confidence: 1 },
    { body: 'jay', importance: 0, pressureRate: 0, confidence: 0, id: 'zero' },
    { body: 'jay', createdAt: 8.64e15, updatedAt: 8.64e15, validFrom: -8.64e15, project: 'a' },
    {
      body: 'jay',
      createdAt: -8.64e15,
      updatedAt: -8.64e15,
      occurredAt: 0,
      position: -Number.MAX_SAFE_INTEGER,
      project: 'b',
    },
    { body: 'jay', cycles: [{ periodSeconds: 60, amplitude: 100, phaseSeconds: -1e13 }], project: 'c' },
    { title: 'jay', writeScore: 1, exitCode: Number.MIN_SAFE_INTEGER },
    { summary: 'jay', vectors: new Float32Array(32).fill(3.4e38) },
    { instruction: 'jay', vectors: new Float32Array(32).fill(1e-45) },
    { command: 'jay', vectors: new Float32Array(32) },
    { command: 'jay acorn', vectors: Array.from({ length: 4096 }, (_, i) => new Float32Array(32).fill(i - 2048)) },
  ]
  const engine = await openEngine({ space: goldenSpace })
  const { records } = await engine.call('put', { batch: extremes })
  // Apart from the others: to read it takes a hundred times as long.
  const long = await openEngine({ space: goldenSpace })
  const longest = [{ body: 'jay '.repeat(262_144) }, { body: 'jay' }]
  const stored = await long.call('put', { batch: longest })
  const vectors = [new Float32Array(32), new Float32Array(32).fill(-3.4e38), new Float32Array(32).fill(1e-45)]

  it('[G1] are all stored', () => {
    expect(records.map(({ outcome }) => outcome)).toEqual(extremes.map(() => 'inserted'))
    expect(stored.records.map(({ outcome }) => outcome)).toEqual(longest.map(() => 'inserted'))
  })

  it.each([8.64e15, -8.64e15, 0])('[G1] give finite figures at %d', async (now) => {
    for (const query of [
      { text: 'jay' },
      { text: 'jay '.repeat(900) },
      {},
      ...vectors.map((vector) => ({ vector, text: 'jay' })),
    ]) {
      const { facts: _facts, ...result } = await engine.call(
        'recall',
        { query: { ...query, now, limit: 1000, collapse: 'none', explain: true } },
        now,
      )
      expect(result.hits.length).toBe(extremes.length)
      // Canonical JSON refuses every number that is not finite.
      expect(() => canonicalJson(result)).not.toThrow()
    }
  })

  it.each(everyPolicy)('[G1] [G3] give finite figures for the longest body under %s', async (_name, policy) => {
    const query = { vector: vectors[1]!, text: 'jay latest' }
    const asked = { ...query, policy, limit: 1000, collapse: 'none' as const, explain: true }
    const { facts: _facts, ...result } = await long.call('recall', { query: asked }, 0)
    expect(result.hits.length).toBe(longest.length)
    // Canonical JSON refuses every number that is not finite.
    expect(() => canonicalJson(result)).not.toThrow()
    for (const hit of result.hits) checkSum(hit)
  })

  it.each(otherPolicies)('[G1] [G3] give finite figures under %s', async (_name, policy) => {
    for (const now of [8.64e15, -8.64e15, 0]) {
      for (const query of [{ text: 'jay latest' }, {}, ...vectors.map((vector) => ({ vector, text: 'jay' }))]) {
        const asked = { ...query, policy, now, limit: 1000, collapse: 'none' as const, prefer: { project: 'a' } }
        const { facts: _facts, ...result } = await engine.call('recall', { query: { ...asked, explain: true } }, now)
        // Canonical JSON refuses every number that is not finite.
        expect(() => canonicalJson(result)).not.toThrow()
        for (const hit of result.hits) checkSum(hit)
        expect(result.ledger.every(({ score }) => Number.isFinite(score))).toBe(true)
      }
    }
  })
})

function checkSum({ score, contributions }: Decision['hits'][number]): void {
  expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(score)
  for (const { value, weight, amount } of contributions) expect(amount).toBe(value * weight)
  expect(new Set(contributions.map(({ signal }) => signal)).size).toBe(contributions.length)
}

function scoresOf({ hits }: Pick<Decision, 'hits'>): ReadonlyMap<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]))
}
