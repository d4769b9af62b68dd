/**
 * [G3] [V1] [F1] [D3] [S4] Compares scores with neighbours in a session with a second implementation from the
 * specification: what each record scores without them, plus, for each position within reach in its session, a share of
 * the score of the record there.
 */
import { describe, expect, it } from 'vitest'
import type { ConvexPolicy, NeighbourShares } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { sizedSeeds } from '../../support/data/sized.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'
import { alike } from './shares.ts'

const { balanced } = policies
const space = { name: 'eight', dimensions: 8 }
const seeds = sizedSeeds(51, 3)

function policyWith(neighbours: NeighbourShares | undefined): ConvexPolicy {
  const { neighbours: _shipped, ...fusion } = balanced.fusion
  return { ...balanced, fusion: neighbours === undefined ? fusion : { ...fusion, neighbours } }
}

/** Few names, so that projects and banks share them; positions with gaps, repeated, below 0 and absent. */
function randomRecord(random: Random, i: number): RecordInput {
  const words = Array.from({ length: 1 + random.below(9) }, () => random.pick(['jay', 'acorn', 'oak', 'nest', 'wren']))
  return {
    id: `r${i}`,
    body: `${words.join(' ')} ${random.below(4) === 0 ? 'in src/nest.ts EggError' : ''}`,
    project: random.pick(['wood', 'town', null]),
    bank: random.pick(['one', null]),
    session: random.pick(['monday', 'tuesday', null]),
    position: random.below(8) === 0 ? null : random.below(60) - 20,
    kind: random.pick(['note', 'turn']),
    files: random.below(3) === 0 ? [{ path: 'src/nest.ts' }] : [],
    reasons: random.below(9) === 0 ? [{ code: 'user_pinned' }] : [],
    status: random.below(9) === 0 ? 'deprecated' : 'active',
    updatedAt: startOfTime - random.below(5),
    ...(random.below(6) === 0 ? {} : { vectors: random.vector(8) }),
  }
}

function queriesOf(random: Random): RecallQuery[] {
  const vector = () => random.vector(8)
  return [
    { text: 'jay acorn', vector: vector() },
    { text: 'what does the EggError in src/nest.ts say of the oak', vector: vector() },
    { text: 'wren' },
    { vector: vector() },
    { text: 'oak nest', vector: vector(), scope: { project: 'wood' } },
    { text: 'oak nest', vector: vector(), scope: { kind: 'turn', session: 'monday' } },
    { text: 'jay', vector: vector(), exclude: ['r1', 'r5', 'r9', 'r30', 'r31', 'r32'] },
    { text: 'jay', vector: vector(), files: ['nest'] },
    { text: 'acorn', prefer: { project: 'town' } },
    {},
  ]
}

interface Place {
  readonly id: string
  readonly session: string
  readonly position: number
  readonly tokens: number
}

const ofQuestion = new Set(['lexical', 'meaning', 'pairs', 'terms', 'paths'])

/** Score by id: that of the plain answer, plus the shares of the records around it in the whole store. */
function liftedScores(
  records: readonly RecordInput[],
  plain: readonly Hit[],
  shares: NeighbourShares,
  sessionOf = ({ project, bank, session }: RecordInput) => JSON.stringify([project, bank, session]),
): ReadonlyMap<string, number> {
  const given = new Map(
    plain.map(({ id, contributions }) => {
      const amounts = contributions.filter(({ signal }) => ofQuestion.has(signal)).map(({ amount }) => amount)
      return [id, amounts.reduce((sum, amount) => sum + amount, 0)]
    }),
  )
  const places = records.flatMap((record): Place[] =>
    typeof record.session === 'string' && typeof record.position === 'number'
      ? [
          {
            id: record.id!,
            session: sessionOf(record),
            position: record.position,
            tokens: record.body!.match(/\w+/g)!.length,
          },
        ]
      : [],
  )
  places.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
  return new Map(
    plain.map(({ id, score }) => {
      const own = places.find((place) => place.id === id)
      const session = places.filter((place) => place.session === own?.session)
      const at = session.findIndex((place) => place.id === id)
      const kept = at === -1 ? 0 : keptShare(session, at, shares.halfLength)
      const shareOf = (i: number) => kept * ((i < at ? shares.before : shares.after)[Math.abs(i - at) - 1] ?? 0)
      const gifts = session.map((place, i) => shareOf(i) * (given.get(place.id) ?? 0))
      return [id, score + gifts.reduce((sum, gift) => sum + gift, 0)]
    }),
  )
}

/** The share that the record at `at` receives: less the longer it is, if lengths alternate; else less the longer all are. */
function keptShare(session: readonly Place[], at: number, halfLength: number | undefined): number {
  if (halfLength === undefined) return 1
  const mean = session.reduce((sum, { tokens }) => sum + tokens, 0) / session.length
  const away = session.map(({ tokens }) => tokens - mean)
  const variance = away.reduce((sum, one) => sum + one ** 2, 0)
  const covariance = away.slice(1).reduce((sum, one, i) => sum + one * away[i]!, 0)
  const correlation = variance === 0 ? 0 : covariance / variance
  const own = Math.max(0, Math.min(1, -5 * correlation - 1))
  const length = own * session[at]!.tokens + (1 - own) * mean
  return 1 / (1 + (length / halfLength) ** 2)
}

describe.each(seeds)('a random store of sessions, seed %i', async (seed) => {
  const random = createRandom(seed)
  const records = Array.from({ length: 160 }, (_, i) => randomRecord(random, i))
  const queries = queriesOf(random)
  const { call } = await openEngine({ space })
  await call('put', { batch: records })
  const ask = async (query: RecallQuery, weights: NeighbourShares | undefined, limit = 1000) =>
    call('recall', { query: { collapse: 'none', ...query, limit, policy: policyWith(weights) } })
  const shares = [
    { before: [0.3, 0.3, 0.1, 0.1], after: [0.2, 0.2, 0.1] },
    { before: [], after: [1] },
    { before: [0, 0.5], after: [] },
    { before: [0.3, 0.2], after: [0.4], halfLength: 6 },
    alike([0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1, 0.1]),
  ]

  it.each(queries)('[G3] scores as the policy describes: %j', async (query) => {
    const plain = await ask(query, undefined)
    for (const weights of shares) {
      const { hits } = await ask(query, weights)
      const expected = liftedScores(records, plain.hits, weights)
      expect(hits.length).toBe(expected.size)
      for (const { id, score, contributions } of hits) {
        expect(Math.abs(score - expected.get(id)!), id).toBeLessThan(1e-12)
        expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(score)
      }
    }
  })

  it.each(queries)('[V1] [S4] a small limit gives the first of all, with the same scores: %j', async (query) => {
    for (const weights of shares) {
      for (const collapse of ['none', 'near'] as const) {
        const { hits } = await ask({ ...query, collapse }, weights)
        for (const limit of [1, 3, 10, 40]) {
          const few = await ask({ ...query, collapse }, weights, limit)
          expect(few.hits).toEqual(hits.slice(0, limit))
        }
      }
    }
  })

  it('[D3] does not depend on the order in which records came, moved and went', async () => {
    const other = await openEngine({ space })
    const strangers = Array.from({ length: 40 }, (_, i) => randomRecord(random, 1000 + i))
    // Each record is first at another place, among other records.
    const moved = records.map((record) => ({
      ...record,
      session: random.pick(['monday', 'friday', null]),
      position: random.below(60),
    }))
    for (const batch of [strangers, random.shuffled(moved), random.shuffled(records)]) {
      for (let from = 0; from < batch.length; from += 30) {
        await other.call('put', { batch: batch.slice(from, from + 30) })
        await other.call('recall', { query: { text: 'jay' } })
      }
    }
    await other.call('forget', { ids: strangers.map(({ id }) => id!) })
    // The time of a replaced record is that of the request, so both stores are compared by scores without time.
    for (const query of queries) {
      const options = {
        collapse: 'none',
        limit: 1000,
        policy: { ...balanced, learned: { ...balanced.learned, decay: 0 } },
      } as const
      const scoresOf = ({ hits }: { readonly hits: readonly Hit[] }) =>
        canonicalJson(
          hits.map(({ id, score, contributions }) => [id, score, contributions.at(-1)?.reason ?? '']).sort(),
        )
      if (Object.keys(query).length === 0) continue
      const [one, two] = [
        await call('recall', { query: { ...query, ...options } }),
        await other.call('recall', { query: { ...query, ...options } }),
      ]
      expect(scoresOf(two)).toBe(scoresOf(one))
    }
  })

  it('names the neighbours that added to a score, and explains the amount', async () => {
    const { hits } = await ask({ text: 'jay acorn' }, alike([0.5]))
    const given = hits.flatMap(({ id, contributions }) =>
      contributions.filter(({ signal }) => signal === 'neighbours').map((contribution) => ({ id, ...contribution })),
    )
    expect(given.length).toBeGreaterThan(10)
    for (const { id, reason } of given.slice(0, 5)) {
      const names = [...reason.matchAll(/(\w+) \(1 (?:before|after), /g)].map(([, name]) => name)
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) expect(sessionOfId(records, name)).toBe(sessionOfId(records, id))
      const query = { text: 'jay acorn', collapse: 'none', policy: policyWith(alike([0.5])) } as const
      const explanation = await call('why', { query, id })
      expect(explanation.contributions.at(-1)).toMatchObject({ signal: 'neighbours', reason })
      expect(explanation.contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(explanation.score)
    }
  })
})

function sessionOfId(records: readonly RecordInput[], id: string | undefined): string {
  const record = records.find((entry) => entry.id === id)
  return JSON.stringify([record?.project, record?.bank, record?.session])
}

describe('control: a wrong oracle disagrees', async () => {
  const shipped = { ...balanced.fusion.neighbours!, halfLength: 8 }
  const random = createRandom(50)
  const records = Array.from({ length: 160 }, (_, i) => randomRecord(random, i))
  const { call } = await openEngine({ space })
  await call('put', { batch: records })
  const query = { text: 'jay acorn', vector: random.vector(8), collapse: 'none', limit: 1000 } as const
  const plain = await call('recall', { query: { ...query, policy: policyWith(undefined) } })
  const { hits } = await call('recall', { query: { ...query, policy: policyWith(shipped) } })
  const isWrong = (expected: ReadonlyMap<string, number>) =>
    hits.some(({ id, score }) => Math.abs(score - expected.get(id)!) > 1e-3)

  it('with a wrong weight, swapped sides, mixed projects or banks, or without neighbours that add nothing', () => {
    expect(isWrong(liftedScores(records, plain.hits, shipped))).toBe(false)
    expect(isWrong(liftedScores(records, plain.hits, { ...shipped, after: [0.2, 0.2, 0.2] }))).toBe(true)
    const turned = { before: shipped.after, after: shipped.before }
    expect(isWrong(liftedScores(records, plain.hits, turned))).toBe(true)
    const names = [({ session }: RecordInput) => `${session}`, (r: RecordInput) => `${r.project} ${r.session}`]
    for (const name of names) expect(isWrong(liftedScores(records, plain.hits, shipped, name))).toBe(true)
    for (const halfLength of [undefined, 7])
      expect(isWrong(liftedScores(records, plain.hits, { ...shipped, halfLength }))).toBe(true)
    const found = new Set(plain.hits.map(({ id }) => id))
    const open = records.filter(({ id }) => found.has(id!))
    expect(isWrong(liftedScores(open, plain.hits, shipped))).toBe(true)
  })
})

describe('a store without sessions', () => {
  it('does no extra work, and answers as without neighbours', async () => {
    const random = createRandom(57)
    const { call } = await openEngine({ space })
    const batch = Array.from({ length: 60 }, (_, i) => randomRecord(random, i))
    await call('put', {
      batch: batch.map((record, i) => ({ ...record, [i % 2 === 0 ? 'session' : 'position']: null })),
    })
    const query = { text: 'jay acorn', vector: random.vector(8), capture: true }
    const [plain, lifted] = [
      await call('recall', { query: { ...query, policy: policyWith(undefined) } }),
      await call('recall', { query: { ...query, policy: policyWith(alike([1, 1, 1])) } }),
    ]
    expect((lifted.facts as CapturedFacts).facts.candidates.sessions).toBe(null)
    expect(canonicalJson(lifted.hits)).toBe(canonicalJson(plain.hits))
  })
})
