/**
 * [S4] [S5] Checks that no source exceeds its quota: compares with a second implementation, which applies the rule in
 * ranking order to all candidates of the answer without a quota; in recalls and their replays, under every
 * policy.
 */
import { describe, expect, it } from 'vitest'
import { isStaged, type Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import { type CapturedFacts, replay } from '../../../src/core/replay.ts'
import { withoutThresholds } from '../../../src/core/select/thresholds.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { sizedTo } from '../../support/data/sized.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { type Accounted, openEngine, startOfTime } from '../../support/stores/open-engine.ts'
import { flooded, shares, space } from './flooded.ts'

const limits = [1, 5, 34, ...(sizedTo(0, 1) === 1 ? [2, 13] : [])]

const contentOf = ({ contentHash, authorityTier }: StoredRecord) => `${contentHash} ${authorityTier}`

/** The rule as specified, applied to all candidates in ranking order. */
function naive(all: readonly Hit[], perSource: number, collapses: boolean, policy: Policy): string[] {
  const taken: StoredRecord[] = []
  const passed = new Set<string>()
  for (const [place, { id, record }] of all.entries()) {
    if (collapses && taken.some((other) => contentOf(other) === contentOf(record))) continue
    if (collapses && policy.keep === 'newest') {
      const alike = all.filter((hit) => contentOf(hit.record) === contentOf(record))
      const lowest = Math.max(-1, ...alike.filter((hit) => passed.has(hit.id)).map((hit) => all.indexOf(hit)))
      const standing = alike
        .filter((hit) => all.indexOf(hit) > lowest)
        .sort((a, b) => b.record.updatedAt - a.record.updatedAt || (a.id < b.id ? 1 : -1))
      if (all.indexOf(standing[0]!) !== place) continue
    }
    const share = taken.filter(({ source }) => source === record.source).length
    if (record.source !== null && share >= perSource) passed.add(id)
    else taken.push(record)
  }
  return taken.map(({ id }) => id)
}

describe.each(everyPolicy)('a store that one source floods, under %s', async (_name, policy) => {
  const random = createRandom(71)
  const { call } = await openEngine({ space, policy })
  await call('put', { batch: flooded(random, 80) })
  const queries: RecallQuery[] = [
    { text: 'jay acorn' },
    { text: 'winter src/nest.ts', vector: random.vector(8) },
    { vector: random.vector(8) },
    {},
  ]
  const modes = ['none', 'exact', 'near'] as const
  const asked = queries.flatMap((query) => modes.map((collapse) => ({ ...query, collapse })))

  it.each(asked.filter(({ collapse }) => collapse !== 'near'))(
    '[S4] selects what the rule says, and a larger limit only appends: %j',
    async (given) => {
      const query = { ...given, policy: withoutLeast(policy) }
      const { hits: all } = await call('recall', { query: { ...query, collapse: 'none', limit: 1000 } })
      for (const perSource of shares) {
        const expected = naive(all, perSource, given.collapse !== 'none', policy)
        for (const limit of limits) {
          const { hits } = await call('recall', { query: { ...query, perSource, limit } })
          expect(hits.map(({ id }) => id)).toEqual(expected.slice(0, limit))
        }
      }
      if (all.length <= 30) return
      // Control: skipping after the cut leaves places empty that other records should have.
      const cut = all.slice(0, 10).filter(({ record }, i, list) => isWithin(record, list.slice(0, i), 1))
      expect(cut.length).toBeLessThan(naive(all, 1, false, policy).slice(0, 10).length)
    },
  )

  it.each(asked)('[S4] [S5] hold for %j', async (query) => {
    for (const perSource of shares) {
      const ask = { ...query, perSource, explain: true, capture: true }
      const most = await call('recall', { query: { ...ask, limit: 1000 } })
      for (const limit of limits) {
        const result = await call('recall', { query: { ...ask, limit } })
        checkQuota(result, perSource, most.hits)
        expect(result.hits).toEqual(most.hits.slice(0, limit))
        expect(result.evidence).toEqual(most.evidence)
      }
    }
  })

  it.each(asked)('[S5] the answer without a ledger is the one with it: %j', async (query) => {
    for (const perSource of shares) {
      for (const limit of limits) {
        const ask = { ...query, perSource, limit }
        const bare = await call('recall', { query: ask })
        const full = await call('recall', { query: { ...ask, ledger: true } })
        expect(canonicalJson(apartFromLedger(bare))).toBe(canonicalJson(apartFromLedger(full)))
      }
    }
  })

  it('[S4] control: a quota as large as the limit changes nothing but the receipt', async () => {
    for (const query of asked) {
      const {
        tookMs: _took,
        receipt: own,
        ...wide
      } = await call('recall', { query: { ...query, perSource: 1000, ledger: true } })
      const { tookMs: _other, receipt, ...plain } = await call('recall', { query: { ...query, ledger: true } })
      // Under a quota the ledger also lists records collapsed beyond the limit.
      const idsIn = ({ ledger }: Pick<Accounted, 'ledger'>) => ledger.map(({ id }) => id).sort()
      expect(idsIn(wide)).toEqual(idsIn(plain))
      expect({ ...wide, ledger: null }).toEqual({ ...plain, ledger: null })
      expect(own.digest).toBe(receipt.digest)
      expect(own.queryHash).not.toBe(receipt.queryHash)
    }
  })

  it('[D1] is replayed from its facts to the same bytes', async () => {
    for (const query of asked) {
      const made = await call('recall', { query: { ...query, perSource: 2, limit: 5, capture: true } })
      const { tookMs: _tookMs, facts, ...answer } = made
      const kept = structuredClone(facts) as CapturedFacts
      expect(canonicalJson(replay(answer.receipt, kept))).toBe(canonicalJson(answer))
      // Control: without the quota it is another recall, even with the same selection.
      const { perSource: _perSource, ...rest } = kept.plan.query
      expect(() => replay(answer.receipt, { ...kept, plan: { ...kept.plan, query: rest } })).toThrow(/but give sel-/)
    }
  })

  it('is the policy’s where the query has none', async () => {
    for (const query of asked) {
      const { hits } = await call('recall', { query: { ...query, perSource: 2 } })
      const { hits: own } = await call('recall', { query: { ...query, policy: { ...policy, perSource: 2 } } })
      expect(own.map(({ id }) => id)).toEqual(hits.map(({ id }) => id))
      const lifted = { ...query, policy: { ...policy, perSource: 2 }, perSource: 1000 }
      expect((await call('recall', { query: lifted })).hits).toEqual((await call('recall', { query })).hits)
    }
  })
})

/** The answer without its ledger, its time, and the parts of the receipt that cover the ledger and the question. */
function apartFromLedger({ ledger: _ledger, tookMs: _took, receipt, ...answer }: Accounted): unknown {
  const { id: _id, queryHash: _query, ledgerDigest: _digest, ...kept } = receipt
  return { ...answer, receipt: kept }
}

/** Checks that hold for every answer with a quota. */
function checkQuota({ hits, ledger, facts }: Accounted, perSource: number, most: readonly Hit[]): void {
  const { candidates } = (facts as CapturedFacts).facts
  expect([...hits, ...ledger].map(({ id }) => id).sort()).toEqual([...candidates.ids].sort())
  for (const [i, { record }] of hits.entries()) expect(isWithin(record, hits.slice(0, i), perSource)).toBe(true)
  const scores = new Map(most.map(({ id, score }) => [id, score]))
  for (const { reason, stage, score = Number.NaN } of ledger) {
    if (stage !== 'quota') continue
    // The longest answer has as many records as allowed, none of them worse.
    const full = most.filter(
      ({ record: { source } }) => reason === `beyond ${perSource} of source ${JSON.stringify(source)}`,
    )
    expect(full).toHaveLength(perSource)
    for (const { id } of full) expect(scores.get(id)).toBeGreaterThanOrEqual(score)
  }
}

function isWithin({ source }: StoredRecord, before: readonly Hit[], perSource: number): boolean {
  return source === null || before.filter(({ record }) => record.source === source).length < perSource
}

function withoutLeast(policy: Policy): Policy {
  const open = withoutThresholds(policy)
  // Policies in queries must be finite.
  return isStaged(open) ? { ...open, thresholds: { strong: -1e18, weak: -1e18, weakLimit: 1000 } } : open
}

function withEveryCandidate(policy: Policy): Policy {
  const open = withoutLeast(policy)
  return isStaged(open) ? { ...open, fusion: { ...open.fusion, candidates: 1000 } } : open
}

describe('a source that repeats the text of another one', async () => {
  const { call } = await openEngine()
  await call('put', {
    batch: [
      { id: 'z1', source: 'spam', body: 'jay acorn acorn' },
      { id: 'z2', source: 'spam', body: 'jay' },
      { id: 'own', source: 'notes', body: 'jay' },
    ],
  })

  it('does not hide the other', async () => {
    const { hits, ledger } = await call('recall', { query: { text: 'jay acorn', perSource: 1, ledger: true } })
    expect(hits.map(({ id }) => id)).toEqual(['z1', 'own'])
    expect(ledger).toEqual([{ id: 'z2', reason: 'beyond 1 of source "spam"', stage: 'quota' }])
    // Control: without a quota the copy is collapsed into the one with the higher id.
    const { hits: plain } = await call('recall', { query: { text: 'jay acorn' } })
    expect(plain.map(({ id, collapsed }) => [id, collapsed])).toEqual([
      ['z1', []],
      ['z2', ['own']],
    ])
  })

  it('is named by why', async () => {
    const why = await call('why', { query: { text: 'jay acorn', perSource: 1 }, id: 'z2' })
    expect(why).toMatchObject({ selected: false, stage: 'quota', reason: 'beyond 1 of source "spam"' })
    const beyond = await call('why', { query: { text: 'jay acorn', perSource: 1, limit: 1 }, id: 'z2' })
    expect(beyond).toMatchObject({ stage: 'quota', reason: 'beyond 1 of source "spam"' })
  })
})

it.each(everyPolicy)('[S4] many equals of one source leave room for one of another: %s', async (_name, policy) => {
  const { call } = await openEngine({ policy: { ...policy, collapse: 'none' } })
  // The last by time and by id, where scores are equal.
  const other = { id: 'a', body: 'jay', source: 'other', createdAt: startOfTime - 1, updatedAt: startOfTime - 1 }
  const batch = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, body: 'jay', source: 'flood' }))
  await call('put', { batch: [other, ...batch] })
  for (const text of ['jay', '']) {
    const query = { text, perSource: 2, limit: 3, policy: withEveryCandidate({ ...policy, collapse: 'none' }) }
    const { hits } = await call('recall', { query })
    // One policy scores only words.
    if (text !== '' || hits.length > 0)
      expect(hits.map(({ record }) => record.source)).toEqual(['flood', 'flood', 'other'])
  }
})
