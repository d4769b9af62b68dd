/**
 * [F3] [S2] [S3] [S4] [S5] Checks selection: it may collapse copies, keeps the order, only appends, and accounts for
 * every candidate; thoroughly under the default policy, and in outline under every other.
 */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { Hit } from '../../src/core/model/result.ts'
import { compareRanked } from '../../src/core/order/order.ts'
import { policies } from '../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../src/core/replay.ts'
import { createRandom } from '../support/data/random.ts'
import { sizedSeeds } from '../support/data/sized.ts'
import { everyPolicy, otherPolicies } from '../support/stores/every-policy.ts'
import { goldenNow, goldenQueries, goldenRecords, goldenSpace } from '../support/stores/golden-store.ts'
import { type Accounted, openEngine, startOfTime } from '../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const count = 90

describe.each(sizedSeeds(31, 2))('a store full of copies, seed %i', async (seed) => {
  const random = createRandom(seed)
  const vectors = Array.from({ length: 4 }, () => random.vector(8))
  const texts = ['jay', 'jay acorn', 'jay acorn winter', 'jay in src/nest.ts', 'winter']
  const { call } = await openEngine({ space })
  const batch = Array.from(
    { length: count },
    (_, i): RecordInput => ({
      id: `r${i}`,
      body: i % 4 === 0 ? `${random.pick(texts)} ${i}` : random.pick(texts),
      authorityTier: random.below(4) === 0 ? 'canon' : null,
      status: random.below(10) === 0 ? 'deprecated' : 'active',
      updatedAt: startOfTime - random.below(4),
      vectors: random.below(3) === 0 ? random.vector(8) : random.pick(vectors),
    }),
  )
  await call('put', { batch })
  const queries: RecallQuery[] = [
    { text: 'jay acorn' },
    { vector: random.vector(8) },
    { text: 'winter src/nest.ts', vector: vectors[0] },
    {},
    { text: 'jay', exclude: ['r1', 'r2', 'r3', 'r50'] },
    { text: 'jay', collapse: 'none' },
  ]

  it.each(queries)('[S4] a larger limit only appends to %j', async (query) => {
    const { hits: most, evidence: known } = await call('recall', { query: { ...query, limit: 1000 } })
    expect(most.length).toBeGreaterThan(10)
    for (let limit = 1; limit <= most.length + 1; limit++) {
      const { hits, evidence } = await call('recall', { query: { ...query, limit } })
      expect(hits).toEqual(most.slice(0, limit))
      expect(evidence).toEqual(known)
    }
  })

  it.each(queries)('[S2] [S3] [S5] %j', async (query) => {
    for (const limit of [1, 7, 1000])
      checkSelection(await call('recall', { query: { ...query, limit, explain: true } }), query, limit)
  })

  it('[S2] control: without collapsing, copies are selected', async () => {
    const { hits } = await call('recall', { query: { text: 'jay', collapse: 'none', limit: 1000 } })
    expect(new Set(hits.map(contentOf)).size).toBeLessThan(hits.length)
  })
})

describe('the golden store', async () => {
  const { call } = await openEngine({ space: goldenSpace })
  await call('put', { batch: goldenRecords() }, goldenNow)

  it.each(goldenQueries())('[S4] a larger limit only appends: %s', async (_name, query) => {
    const { hits: most, evidence: known } = await call('recall', { query: { ...query, limit: 1000 } }, goldenNow)
    for (const limit of [1, 2, 3, 10, 40, 150, 299]) {
      const { hits, evidence } = await call('recall', { query: { ...query, limit } }, goldenNow)
      expect(hits).toEqual(most.slice(0, limit))
      expect(evidence).toEqual(known)
    }
  })

  it.each(goldenQueries())('[S2] [S3] [S5] %s', async (_name, query) => {
    const result = await call('recall', { query: { ...query, limit: 12, explain: true } }, goldenNow)
    checkSelection(result, query, 12)
  })

  it('[S5] holds under a policy whose scores are huge', async () => {
    const { balanced } = policies
    const policy = { ...balanced, fusion: { ...balanced.fusion, lexical: 1e9, cosine: 1e7 } }
    for (const [, query] of goldenQueries()) {
      checkSelection(
        await call('recall', { query: { ...query, policy, limit: 5, explain: true } }, goldenNow),
        query,
        5,
      )
    }
  })
})

const limits = [1, 2, 3, 5, 8, 13, 34, 55]

describe.each(otherPolicies)('a store of copies and ties under %s', async (_name, policy) => {
  const random = createRandom(35)
  const vectors = Array.from({ length: 3 }, () => random.vector(8))
  const { call } = await openEngine({ space, policy })
  const texts = ['jay', 'jay acorn', 'the jay acorn', 'jay acorn winter', 'jay in src/nest.ts']
  const batch = Array.from(
    { length: 60 },
    (_, i): RecordInput => ({
      id: `${random.pick(['', 'z', '\ufb01', '\u{1f426}'])}r${i}`,
      body: i % 4 === 0 ? `${random.pick(texts)} ${i}` : random.pick(texts),
      project: random.pick(['wren', 'jay']),
      authorityTier: random.below(5) === 0 ? 'canon' : null,
      importance: random.pick([1, 1, 2]),
      createdAt: startOfTime - random.below(3) * 1000,
      updatedAt: startOfTime - random.below(3) * 1000,
      reasons: random.below(5) === 0 ? [{ code: 'user_pinned' }] : [],
      vectors: random.pick([[], random.pick(vectors), random.vector(8)]),
    }),
  )
  await call('put', { batch })
  const queries: RecallQuery[] = [
    { text: 'jay acorn', prefer: { project: 'wren' } },
    { text: 'winter src/nest.ts', vector: random.pick(vectors), files: ['nest'] },
    { text: 'jay', vector: random.vector(8), collapse: 'near', exclude: ['r1', 'r2'] },
    { vector: random.pick(vectors), collapse: 'exact' },
    {},
    { text: 'acorn', collapse: 'none', minEvidence: 'weak' },
  ]

  it.each(queries)('[F3] [S2] [S3] [S4] [S5] hold for %j', async (query) => {
    const most = await call('recall', { query: { ...query, limit: 1000, explain: true, capture: true } })
    checkSelection(most, query, 1000, policy)
    checkLedger(most)
    for (const limit of limits) {
      const result = await call('recall', { query: { ...query, limit, explain: true, capture: true } })
      checkSelection(result, query, limit, policy)
      checkLedger(result)
      if (query.minEvidence === undefined) expect(result.hits).toEqual(most.hits.slice(0, limit))
    }
  })

  // Ranks hardly ever tie.
  it.skipIf(policy.fusion.kind === 'rrf')('[F3] control: there are ties, for time and id to decide', async () => {
    const { hits } = await call('recall', { query: { vector: vectors[0]!, text: 'jay', limit: 1000 } })
    const tied = hits.filter((hit, i) => hit.score === hits[i + 1]?.score)
    expect(tied.length).toBeGreaterThan(0)
  })
})

describe('a store deeper than a channel', async () => {
  const random = createRandom(36)
  const { call } = await openEngine({ space })
  const batch = Array.from({ length: 1200 }, (_, i) => ({
    id: `r${i}`,
    body: `jay ${i}`,
    project: i % 3 === 0 ? 'wren' : 'jay',
    importance: 1 + (i % 3),
    vectors: random.vector(8),
  }))
  await call('put', { batch })

  it.each(everyPolicy)('[S5] the ledger misses none and names none twice under %s', async (_name, policy) => {
    for (const query of [{ text: 'jay', vector: random.vector(8), prefer: { project: 'wren' } }, {}])
      checkLedger(await call('recall', { query: { ...query, policy, capture: true } }))
  })
})

/** Hits and ledger together are the candidates, each once. */
function checkLedger({ hits, ledger, facts }: Accounted): void {
  const known = (facts as CapturedFacts).facts.candidates.ids
  expect([...hits, ...ledger].map(({ id }) => id).sort()).toEqual([...known].sort())
}

/** Laws about one answer, for any query. */
function checkSelection(
  { hits, ledger, plan }: Accounted,
  query: RecallQuery,
  limit: number,
  policy: Policy = policies.balanced,
): void {
  const ids = [...hits, ...ledger].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const brought = Object.values(plan.channels).reduce((most, { matched }) => Math.max(most, matched), 0)
  expect(ids.length).toBeGreaterThanOrEqual(Math.min(brought, 1000))
  expect(hits.length).toBeLessThanOrEqual(limit)

  const folded = ledger.filter(({ stage }) => stage === 'collapse').map(({ id }) => id)
  const isWithheld = ledger.some(({ stage }) => stage === 'evidence')
  // Where copies are collapsed into the newest one, they are collapsed even if it is not selected.
  if (policy.keep === 'best' && !isWithheld)
    expect(hits.flatMap(({ collapsed }) => collapsed).sort()).toEqual(folded.sort())
  else expect(folded).toEqual(expect.arrayContaining(hits.flatMap(({ collapsed }) => collapsed)))
  if ((query.collapse ?? policy.collapse) !== 'none') expect(new Set(hits.map(contentOf)).size).toBe(hits.length)

  const ordered = hits.map(({ id, score, record }) => ({ id, score, at: record[policy.order] }))
  // A record that replaces another may take its place [H1].
  const replaces = new Set(hits.flatMap(({ changes = [] }) => changes.map(({ later }) => later)))
  const own = ordered.filter(({ id }) => !replaces.has(id))
  expect(own).toEqual(own.toSorted(compareRanked))
  expect(ordered.map(({ score }) => score)).toEqual(ordered.map(({ score }) => score).toSorted((a, b) => b - a))
  const last = hits.at(-1)?.score ?? Infinity
  const beyond = ledger.filter(({ stage }) => stage === 'limit')
  if (beyond.length > 0 && hits.length > 0) expect(hits.length).toBe(limit)
  for (const { score = Number.NaN } of beyond) expect(score).toBeLessThanOrEqual(last)
}

function contentOf({ record }: Hit): string {
  return `${record.contentHash} ${record.authorityTier}`
}
