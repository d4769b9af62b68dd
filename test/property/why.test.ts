/**
 * Checks that `why` names the stage that lost a record: if this stage is relaxed, the record passes it; and so on,
 * never back, until the record is in the answer. 1,000 random misses under every policy. A failure names seed and
 * case.
 */
import { describe, expect, it } from 'vitest'
import { type ExplainedStage, type Explanation, explainedStages } from '../../src/core/model/explanation.ts'
import { isStaged, type Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery, Scope } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { stages } from '../../src/core/model/result.ts'
import { cosine } from '../../src/core/similarity/cosine.ts'
import { anyQuery, anyRecord, fileStates, now, words } from '../support/data/explained-queries.ts'
import { createRandom } from '../support/data/random.ts'
import { sizedSeeds } from '../support/data/sized.ts'
import { everyPolicy } from '../support/stores/every-policy.ts'
import { type Accounted, openEngine, type TestEngine } from '../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const order: readonly ExplainedStage[] = explainedStages

/** Misses in small stores of every kind, and in one with more matches than a channel is deep. */
const small = { seeds: sizedSeeds(8100, 4), records: 40, cases: 100 }
const deep = { seed: 8200, records: 1050, cases: 14 }

const compared = new Set<ExplainedStage>()

describe.each(small.seeds)('a store of any content, seed %i', async (seed) => {
  const random = createRandom(seed)
  const engine = await openEngine({ space })
  const records = Array.from({ length: small.records }, (_, i) => anyRecord(random, i))
  await engine.call('put', { batch: records })
  await engine.call('checkFiles', { states: fileStates })

  it(`names the stage that lost each of ${small.cases} misses`, async () => {
    const seen = new Set<ExplainedStage>()
    let misses = 0
    for (let step = 0; misses < small.cases; step++) {
      const record = random.below(25) === 0 ? anyRecord(random, 1000 + step) : random.pick(records)
      const way = await followMiss(engine, anyQuery(random, records), record, `seed ${seed}, case ${step}`)
      if (way.length > 0) misses++
      for (const stage of way) seen.add(stage)
    }
    // Every stage must occur, or it was not tested.
    expect([...seen].sort()).toEqual([...order].sort())
  })

  it('[S5] gives every record its reason from the ledger, and another one without that rule', async () => {
    const seen = new Set<ExplainedStage>()
    for (let step = 0; step < 6; step++) {
      const query: RecallQuery = {
        ...anyQuery(random, records),
        ...(step % 4 === 3 ? { minEvidence: 'strong' } : {}),
        perSource: random.pick([1, 1, 2, 3]),
        limit: random.pick([1, 2, 3, 5, 10]),
      }
      const { hits, ledger } = await engine.call('recall', { query: { ...query, ledger: true } }, now)
      const lost = new Map(ledger.map((entry) => [entry.id, entry]))
      const withoutRule = new Map<ExplainedStage, Accounted>()
      for (const record of records) {
        const { id } = record
        const why = await engine.call('why', { query, id }, now)
        const what = `seed ${seed}, step ${step}: ${id} ${why.stage}: ${why.reason}, ${spell(query)}`
        expect(why.selected, what).toBe(hits.some((hit) => hit.id === id))
        const entry = lost.get(id)
        if (entry === undefined) continue
        expect([why.stage, why.reason.split(': the last hit')[0]], what).toEqual([entry.stage, entry.reason])
        if (!['evidence', 'collapse', 'quota', 'threshold', 'limit'].includes(entry.stage)) continue
        seen.add(entry.stage)
        const stage = entry.stage as ExplainedStage
        const known = withoutRule.get(stage)
        const without =
          known ?? (await engine.call('recall', { query: { ...relaxed(query, why, record), ledger: true } }, now))
        withoutRule.set(stage, without)
        const next = without.ledger.find((other) => other.id === id)
        expect(next === undefined ? 'selected' : `${next.stage} ${next.reason}`, what).not.toBe(
          `${entry.stage} ${entry.reason}`,
        )
      }
    }
    for (const stage of seen) compared.add(stage)
  })

  it('control: with every later hurdle away, the named stage still loses the record', async () => {
    for (let step = 0; step < 20; step++) {
      const [query, { id }] = [anyQuery(random, records), random.pick(records)]
      const { stage } = await engine.call('why', { query, id }, now)
      if (stage === null) continue
      const later = withoutHurdlesAfter(stage, query)
      const { hits } = await engine.call('recall', { query: later }, now)
      expect(
        hits.map((hit) => hit.id),
        spell(later),
      ).not.toContain(id)
      expect((await engine.call('why', { query: later, id }, now)).stage, spell(later)).toBe(stage)
    }
  })
})

it('[S5] every rule by which records lose to each other was compared', () => {
  expect([...compared].sort()).toEqual(['collapse', 'evidence', 'limit', 'quota', 'threshold'])
})

describe('a store deeper than its channels', async () => {
  const random = createRandom(deep.seed)
  const engine = await openEngine({ space })
  const records = Array.from({ length: deep.records }, (_, i) => ({
    ...anyRecord(random, i),
    body: `jay ${random.pick(words)} ${i}`,
    vectors: random.vector(8),
  }))
  await engine.call('put', { batch: records })

  it(`names the stage that lost each of ${deep.cases} misses`, async () => {
    let beyond = 0
    for (let step = 0; step < deep.cases; step++) {
      const vector = random.vector(8)
      const asked = random.pick([{ text: 'jay' }, { vector }, { text: 'jay', vector }, {}])
      const query = { ...asked, policy: random.pick(everyPolicy)[1] }
      // The farthest of a few dozen: a random one is nearly always within the depth.
      const [record] = random
        .shuffled(records)
        .slice(0, 40)
        .sort((a, b) => cosine(a.vectors, vector) - cosine(b.vectors, vector))
      const way = await followMiss(engine, query, record!, `deep, case ${step}`)
      if (way.includes('found')) beyond++
    }
    expect(beyond).toBeGreaterThan(0)
  })
})

/**
 * Relaxes the stage that `why` names, again and again, and returns the stages it named; empty for a hit. At the start
 * and at the end it must agree with the answer.
 */
async function followMiss(
  engine: TestEngine,
  asked: RecallQuery,
  record: RecordInput & { readonly id: string },
  what: string,
): Promise<ExplainedStage[]> {
  const { id } = record
  const way: ExplainedStage[] = []
  const told: string[] = []
  let query = asked
  let isPut = false
  let wasEmpty = false
  for (;;) {
    const why = await engine.call('why', { query, id }, now)
    told.push(`${why.stage}: ${why.reason}`)
    const trail = `${what}: ${id} ${told.join(' > ')}, ${spell(query)}`
    checkShape(why, trail)
    if (way.length === 0 || why.stage === null)
      checkAnswer(query, why, await engine.call('recall', { query: { ...query, explain: true } }, now), trail)
    if (why.stage === null) break
    // Evidence is computed from the selected records: where thresholds left none, it applies only without them. It uses
    // the first record, which may be another copy where no copies are collapsed.
    const isJudged = why.stage === 'evidence' && (wasEmpty || way.at(-1) === 'collapse')
    if (!isJudged) expect(turnOf(why.stage), trail).toBeGreaterThanOrEqual(turnOf(way.at(-1) ?? 'stored'))
    wasEmpty = why.leastScore === null
    expect(told.at(-1), trail).not.toBe(told.at(-2))
    expect(way.length, trail).toBeLessThan(15)
    way.push(why.stage)
    if (why.stage === 'stored') {
      await engine.call('put', { batch: [record] })
      isPut = true
    } else if (why.stage === 'limit' && query.limit === 1000) {
      // More records than the largest limit rank above it.
      const { hits } = await engine.call('recall', { query }, now)
      query = { ...query, exclude: [...(query.exclude ?? []), ...hits.map((hit) => hit.id)] }
    } else query = relaxed(query, why, record)
  }
  if (isPut) await engine.call('forget', { ids: [id] })
  return way
}

/**
 * Copies and quotas are decided in one pass: a record that a quota skips collapses nothing, and a collapsed one uses
 * no quota.
 */
function turnOf(stage: ExplainedStage): number {
  return order.indexOf(stage === 'quota' ? 'collapse' : stage)
}

function spell({ vector, policy, ...query }: RecallQuery): string {
  return JSON.stringify({ ...query, vector: vector && [...vector], policy: (policy as Policy).name })
}

function checkAnswer(
  { perSource, policy }: RecallQuery,
  why: Explanation,
  { hits, ledger }: Accounted,
  trail: string,
): void {
  const place = hits.findIndex((hit) => hit.id === why.id)
  expect(why.place, trail).toBe(place === -1 ? null : place + 1)
  expect(why.hit, trail).toEqual(hits[place] ?? null)
  if (why.selected) expect(why.reason, trail).toBe(`selected in place ${place + 1} of ${hits.length}`)
  const dropped = ledger.find((entry) => entry.id === why.id)?.stage
  // The ledger lists no gated record that no channel brings, and without a quota it does not know whether a record
  // beyond a cut would be collapsed.
  const isSilent = why.stage === 'gate' && dropped === undefined
  const isBeyond =
    (perSource ?? (policy as Policy).perSource) === undefined &&
    why.stage === 'collapse' &&
    (dropped === 'limit' || dropped === 'threshold')
  if (!isSilent && !isBeyond)
    expect(dropped, trail).toBe((stages as readonly unknown[]).includes(why.stage) ? why.stage : undefined)
}

/** Checks that hold for every explanation. */
function checkShape(why: Explanation, trail: string): void {
  expect(why.selected, trail).toBe(why.hit !== null)
  expect(why.stage === null, trail).toBe(why.selected)
  expect(
    why.steps.map(({ stage }) => stage),
    trail,
  ).toEqual(why.selected ? [...order, 'limit'] : order.slice(0, order.indexOf(why.stage!) + 1))
  expect(
    why.steps.slice(0, -1).every(({ passed }) => passed),
    trail,
  ).toBe(true)
  expect(why.steps.at(-1)?.passed, trail).toBe(why.selected)
  if (why.score !== null)
    expect(
      why.contributions.reduce((sum, { amount }) => sum + amount, 0),
      trail,
    ).toBe(why.score)
}

/** The query without the one obstacle that `why` names. */
function relaxed(
  query: RecallQuery,
  { stage, reason }: Explanation,
  record: RecordInput & { readonly id: string },
): RecallQuery {
  const policy = query.policy as Policy
  if (stage === 'scope') {
    const named = reason.replace('outside the scope: ', '').split(', ')
    const { asOf, ...rest } = query
    const scope = Object.fromEntries(Object.entries(query.scope ?? {}).filter(([field]) => !named.includes(field)))
    return { ...rest, ...(asOf === undefined || named.includes('asOf') ? {} : { asOf }), scope: scope as Scope }
  }
  // More is found, so that a file filter that was dropped might apply again.
  if (stage === 'found') {
    const depths = { lexical: 1e6, terms: 1e6, paths: 1e6, vector: 1e6, recent: 1e6, linked: 1e6, anchors: 1e6 }
    if (/beyond depth|the policy does not use it/.test(reason))
      return { ...query, files: [], policy: { ...policy, depths } }
    return withWord(query, record)
  }
  if (stage === 'gate') {
    if (reason === 'excluded by the query')
      return { ...query, exclude: (query.exclude ?? []).filter((id) => id !== record.id) }
    if (reason === 'of none of the files asked for') return { ...query, files: [] }
    if (reason === 'gated: a risk that blocks') return { ...query, policy: { ...policy, riskGate: 'flag' } }
    if (reason.startsWith('gated: '))
      return { ...query, policy: { ...policy, gateCodes: policy.gateCodes.filter((code) => code !== reason.slice(7)) } }
    return { ...query, policy: { ...policy, gateStatus: false } }
  }
  if (stage === 'candidates') {
    if (!isStaged(policy)) throw new Error('only stages cut candidates')
    const { fusion } = policy
    if (reason === 'no stage found it') return withWord(query, record)
    const wider = reason.startsWith('beyond') ? { ...fusion, candidates: 1e6 } : { ...fusion, minCosine: -1 }
    return { ...query, policy: { ...policy, fusion: wider } }
  }
  if (stage === 'collapse') return { ...query, collapse: 'none' }
  if (stage === 'quota') return { ...query, perSource: 1000 }
  if (stage === 'threshold') return { ...query, policy: withoutLeast(policy) }
  if (stage === 'limit') return { ...query, limit: 1000 }
  return { ...query, minEvidence: 'none' }
}

function withoutHurdlesAfter(stage: ExplainedStage, query: RecallQuery): RecallQuery {
  const isAfter = (other: ExplainedStage) => order.indexOf(other) > order.indexOf(stage)
  return {
    ...query,
    ...(isAfter('collapse') ? { collapse: 'none' } : {}),
    ...(isAfter('quota') ? { perSource: 1000 } : {}),
    ...(isAfter('threshold') ? { policy: withoutLeast(query.policy as Policy) } : {}),
    ...(isAfter('limit') ? { limit: 1000 } : {}),
    minEvidence: isAfter('evidence') ? 'none' : (query.minEvidence ?? 'none'),
  }
}

function withoutLeast({ minScore: _minScore, ...policy }: Policy): Policy {
  const least = { strong: -1e18, weak: -1e18, weakLimit: 1000 }
  return (isStaged(policy as Policy) ? { ...policy, thresholds: least } : policy) as Policy
}

/** For a record that no part of the query finds, however deep. */
function withWord(query: RecallQuery, { body = '' }: RecordInput): RecallQuery {
  return { ...query, files: [], text: `${query.text ?? ''} ${body?.split(' ')[0]}` }
}
