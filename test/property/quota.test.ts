/**
 * [S4] [S5] Checks that no source exceeds its quota: compares with a second implementation, which applies the rule in
 * ranking order to all candidates of the answer without a quota; in recalls, their replays and context packages, under
 * every policy.
 */
import { describe, expect, it } from 'vitest'
import { deciding } from '../../src/core/decide.ts'
import type { AssembleRequest } from '../../src/core/model/assemble.ts'
import type { Facts } from '../../src/core/model/facts.ts'
import { isStaged, type Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput, StoredRecord } from '../../src/core/model/record.ts'
import type { Hit } from '../../src/core/model/result.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { type CapturedFacts, replay } from '../../src/core/replay.ts'
import { withoutThresholds } from '../../src/core/select/thresholds.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { everyPolicy } from '../support/stores/every-policy.ts'
import { type Accounted, openEngine, startOfTime } from '../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const limits = [1, 2, 5, 13, 34]
const shares = [1, 2, 5]

/** A few wordings, copied among a few sources; one source wrote most of them. */
function flooded(random: Random, count: number): RecordInput[] {
  const vectors = Array.from({ length: 4 }, () => random.vector(8))
  const texts = ['jay acorn', 'the jay acorn', 'jay acorn winter', 'jay acorns in winter', 'jay in src/nest.ts']
  return Array.from({ length: count }, (_, i): RecordInput => {
    const of = random.below(texts.length)
    return {
      id: `${random.pick(['', 'z', '\u{1f426}'])}r${i}`,
      body: random.below(2) === 0 ? `${texts[of]} ${random.below(count)}` : texts[of]!,
      source: random.pick(['mail', 'mail', 'mail', 'web "1"', 'file', null]),
      authorityTier: random.below(5) === 0 ? 'canon' : null,
      createdAt: startOfTime - random.below(3) * 1000,
      updatedAt: startOfTime - random.below(3) * 1000,
      vectors: random.pick([[], vectors[random.below(vectors.length)]!, random.vector(8)]),
    }
  })
}

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

describe('the records read for a quota', async () => {
  const count = 400
  const { call } = await openEngine()
  const batch = Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    body: `jay ${'acorn '.repeat(1 + (i % 40))} ${i}`,
    source: `s${i % 50}`,
  }))
  await call('put', { batch })

  /** Decides again from captured facts, and counts the records that deciding reads. */
  const readsOf = async (query: RecallQuery) => {
    const { facts, hits } = await call('recall', { query: { ...query, capture: true } })
    const { plan, facts: complete } = facts as CapturedFacts
    const bare: Facts = { ...complete, records: new Map() }
    const records = bare.records as Map<number, StoredRecord>
    const steps = deciding({ ...plan, query }, bare)
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect(step.value.hits.map(({ id }) => id)).toEqual(hits.map(({ id }) => id))
        return records.size
      }
      for (const row of step.value.need.records) records.set(row, complete.records.get(row)!)
    }
  }

  it.each(['none', 'exact', 'near'] as const)('follow the limit, not the candidates: %s', async (collapse) => {
    const query = { text: 'jay acorn', collapse, perSource: 2 }
    expect(await readsOf({ ...query, limit: 5 })).toBeLessThan(count / 4)
    expect(await readsOf({ ...query, limit: 20 })).toBeLessThan(count / 2)
    // Control: a ledger needs them all.
    expect(await readsOf({ ...query, limit: 5, ledger: true })).toBe(count)
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

describe.each(everyPolicy)('context packages under %s', async (_name, policy) => {
  const random = createRandom(72)
  const { call } = await openEngine({ policy })
  const batch = flooded(random, 60).map(({ vectors: _vectors, ...record }, i) => ({
    ...record,
    cycles: i % 3 === 0 ? [{ periodSeconds: 86_400, amplitude: 1 + (i % 5), phaseSeconds: 0 }] : [],
  }))
  await call('put', { batch })

  it('[S4] [S5] hold no more of a source than its quota, pulled and surfaced together', async () => {
    const seen = { pulled: 0, pushed: 0, skipped: 0 }
    for (let step = 0; step < 150; step++) {
      const request: AssembleRequest = {
        text: random.pick(['jay', 'acorn winter', '']),
        perSource: random.pick(shares),
        maxItems: random.pick([1, 3, 6, 12, 25]),
        reserveProactive: random.pick([0, 0, 2, 5]),
        surfacingThreshold: random.pick([-1, 0.5, 2.5]),
      }
      const what = JSON.stringify(request)
      const made = await call('assemble', { query: request })
      const held = new Map<string | null, number>()
      for (const { source } of made.records) held.set(source, (held.get(source) ?? 0) + 1)
      for (const [source, count] of held)
        if (source !== null) expect(count, what).toBeLessThanOrEqual(request.perSource!)
      const { perSource: _perSource, ...unlimited } = request
      const everyone = await call('assemble', { query: unlimited })
      const idsOf = ({ records, ledger }: typeof made) => [...records, ...ledger].map(({ id }) => id).sort()
      expect(idsOf(made), what).toEqual(idsOf(everyone))
      for (const { reason, stage } of made.ledger) {
        if (stage !== 'quota') continue
        seen.skipped++
        expect(reason, what).toMatch(/^beyond \d+ of source "/)
      }
      // No place stays empty while a record that may take it waits.
      if (made.records.length < request.maxItems!) expect(lostTo(made, 'items'), what).toEqual([])
      if ((request.reserveProactive ?? 0) === 0) {
        const more = await call('assemble', { query: { ...request, maxItems: 40 } })
        expect(more.records.slice(0, made.records.length), what).toEqual(made.records)
      }
      seen.pulled += made.metadata.pullCount
      seen.pushed += made.metadata.pushCount
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
  })
})

function lostTo(
  { ledger }: { readonly ledger: readonly { readonly id: string; readonly stage: string }[] },
  stage: string,
) {
  return ledger.filter((entry) => entry.stage === stage).map(({ id }) => id)
}

it('surfaces due records of other sources, however many one source has', async () => {
  const { call } = await openEngine()
  const due = (amplitude: number) => [{ periodSeconds: 86_400, amplitude, phaseSeconds: 0 }]
  const flood = Array.from({ length: 30 }, (_, i) => ({ id: `f${i}`, body: `f ${i}`, source: 'flood', cycles: due(9) }))
  await call('put', { batch: [...flood, { id: 'backup', body: 'Test the backup', source: 'app', cycles: due(1) }] })
  const { proactive } = await call('assemble', { query: { maxItems: 5, perSource: 2 } })
  expect(proactive.map(({ source }) => source)).toEqual(['flood', 'flood', 'app'])
  // Control: without a quota they take every place.
  const plain = await call('assemble', { query: { maxItems: 5 } })
  expect(new Set(plain.proactive.map(({ source }) => source))).toEqual(new Set(['flood']))
})

it('a place is reserved only for records that may take it', async () => {
  const { call } = await openEngine()
  const cycles = [{ periodSeconds: 86_400, amplitude: 2, phaseSeconds: 0 }]
  const notes = Array.from({ length: 4 }, (_, i) => ({ id: `n${i}`, body: `jay ${i}`, source: i < 2 ? null : 'mail' }))
  await call('put', { batch: [...notes, { id: 'due', body: 'backup', source: 'mail', cycles }] })
  const request = { text: 'jay', maxItems: 4, reserveProactive: 1, policy: policies.balanced }
  const both = await call('assemble', { query: { ...request, perSource: 3 } })
  expect(both.proactive.map(({ id }) => id)).toEqual(['due'])
  const full = await call('assemble', { query: { ...request, perSource: 2 } })
  expect(full.records.map(({ id }) => id).sort()).toEqual(['n0', 'n1', 'n2', 'n3'])
  expect(full.proactive).toEqual([])
})

describe('the cost of a quota', () => {
  /** How often the body of a record that is not selected is read while the recall is decided again from its facts. */
  async function readsOf(query: RecallQuery): Promise<readonly number[]> {
    const { call } = await openEngine({ space })
    await call('put', { batch: flooded(createRandom(5), 80) })
    const { receipt, facts, hits } = await call('recall', { query: { text: 'jay acorn', capture: true, ...query } })
    const { plan, facts: captured } = facts as CapturedFacts
    const reads = new Map<string, number>()
    const counted = (record: StoredRecord) =>
      Object.defineProperty({ ...record }, 'body', {
        get: () => (reads.set(record.id, (reads.get(record.id) ?? 0) + 1), record.body),
      })
    const records = new Map(Array.from(captured.records, ([row, record]) => [row, counted(record)] as const))
    replay(receipt, { plan, facts: { ...captured, records } })
    for (const { id } of hits) reads.delete(id)
    return [...reads.values()]
  }

  it('[S5] each text is read once to find near-duplicates, also beyond the limit', async () => {
    const reads = await readsOf({ collapse: 'near', limit: 3, perSource: 1 })
    expect(reads.length).toBeGreaterThan(20)
    expect(new Set(reads)).toEqual(new Set([1]))
  })

  it('[S5] control: equal contents are found without reading texts', async () => {
    expect(await readsOf({ collapse: 'exact', limit: 3, perSource: 1 })).toEqual([])
  })
})
