/**
 * [S4] [F4] Tests that no depth of a channel decides an answer: stores have far more records than any depth, and records that are far
 * down in every channel come first by what the channels add together. An oracle scores every record by itself.
 */
import { describe, expect, it } from 'vitest'
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { Hit } from '../../src/core/model/result.ts'
import { balanced } from '../../src/core/policies/balanced.ts'
import { createRandom } from '../support/data/random.ts'
import { everyPolicy } from '../support/stores/every-policy.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const dimensions = 8
const records = 1_400
const spaces = { space: { name: 'tiny', dimensions } }

/** The score is the square of the cosine, and half of that of the record before it in the session; the background is nearly 0. */
const cosineAlone: ConvexPolicy = {
  ...balanced,
  name: 'cosine-alone',
  collapse: 'none',
  learned: { ...balanced.learned, decay: 0 },
  fusion: {
    ...balanced.fusion,
    lexical: 0,
    pairs: 0,
    cosine: 0,
    meaning: { ...balanced.fusion.meaning, weight: 1, clamp: [1, 1], backgroundPrior: 1e6 },
    neighbours: { before: [0.5], after: [] },
  },
}

function withCosine(cosine: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = cosine
  vector[1] = Math.sqrt(1 - cosine * cosine)
  return vector
}

const question = withCosine(1)

async function filled(batch: readonly RecordInput[]): Promise<TestEngine> {
  const engine = await openEngine(spaces)
  for (let from = 0; from < batch.length; from += 500)
    await engine.call('put', { batch: batch.slice(from, from + 500) })
  return engine
}

describe('the order is that of all records', () => {
  /** `between` is behind 1,250 records by words and behind 1,250 others by meaning, and before all by both. */
  const middle: RecordInput = { id: 'between', body: 'jay acorn nest', vectors: withCosine(0.5) }
  const batch: readonly RecordInput[] = [
    ...Array.from({ length: 1_250 }, (_, i) => ({
      id: `word${i}`,
      body: `jay acorn nest jay ${i}`,
      vectors: withCosine(-0.9),
    })),
    ...Array.from({ length: 1_250 }, (_, i) => ({
      id: `near${i}`,
      body: `feather ${i}`,
      vectors: withCosine(0.51 + i / 1e6),
    })),
    middle,
  ]

  it('[S4] a record that is beyond 1,000 others in every channel comes first by their sum', async () => {
    const engine = await filled(batch)
    const policy = { ...balanced, fusion: { ...balanced.fusion, meaning: { ...balanced.fusion.meaning, weight: 2 } } }
    const query: RecallQuery = { text: 'jay acorn nest', vector: question, policy, collapse: 'none' }
    for (const limit of [1, 10, 1000]) {
      const { hits } = await engine.call('recall', { query: { ...query, limit } })
      expect(hits[0]!.id).toBe('between')
      expect(hits.length).toBe(limit)
      expect(hits[0]!.ranks.lexical).toBeGreaterThan(1000)
    }
  })

  it('[S4] offsets and limits up to 1,000 are places of one order', { timeout: 120_000 }, async () => {
    const random = createRandom(1804)
    const engine = await filled(randomRecords(records))
    for (const [i, base] of queriesOf(random).entries()) {
      const all = (await engine.call('recall', { query: { ...base, limit: 1000, ledger: true } })).hits
      expect(all.length, `query ${i}`).toBe(1000)
      for (const [offset, limit] of [
        [0, 1],
        [0, 60],
        [37, 20],
        [400, 300],
        [990, 10],
      ] as const) {
        const { hits } = await engine.call('recall', { query: { ...base, offset, limit } })
        expect(hits.map(short), `query ${i}, ${limit} from ${offset}`).toEqual(
          all.slice(offset, offset + limit).map(short),
        )
      }
    }
  })

  it('[S4] control: a policy with depths does not find it', async () => {
    const engine = await filled(batch)
    const [, policy] = everyPolicy.find(([, { fusion }]) => fusion.kind === 'rrf')!
    const query: RecallQuery = { text: 'jay acorn nest', vector: question, policy, limit: 1000, ledger: true }
    const { hits, ledger } = await engine.call('recall', { query })
    expect([...hits, ...ledger].some(({ id }) => id === 'between')).toBe(false)
  })
})

function short({ id, score, collapsed, ranks }: Hit) {
  return { id, score, collapsed, ranks }
}

const words = 'jay acorn cache winter forest feather nest query vector token'.split(' ')

function randomRecords(count: number): RecordInput[] {
  const random = createRandom(1805)
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    body: `${Array.from({ length: 3 + random.below(9) }, () => words[Math.floor(random.next() ** 2 * words.length)]!).join(' ')} ${i}`,
    session: random.below(3) === 0 ? `s${random.below(40)}` : null,
    position: random.below(500),
    project: random.pick(['jay', 'wren']),
    createdAt: startOfTime,
    updatedAt: startOfTime - random.below(1000),
    vectors: random.vector(dimensions),
  }))
}

function queriesOf(random: ReturnType<typeof createRandom>): RecallQuery[] {
  return [
    { text: 'jay acorn', vector: random.vector(dimensions) },
    { vector: random.vector(dimensions), prefer: { project: 'wren' } },
    { text: 'jay nest cache', policy: { ...balanced, collapse: 'none' } },
    {},
  ]
}

describe('what neighbours give', () => {
  const asked = { vector: question, policy: cosineAlone, limit: 1000 }
  /** `after` receives from `before`, which is far away from the question. */
  const pair: readonly RecordInput[] = [
    { id: 'before', body: 'jay', session: 's', position: 1, vectors: withCosine(0.2) },
    { id: 'after', body: 'acorn', session: 's', position: 2, vectors: withCosine(0.9) },
  ]
  /** Half of them nearer than `before`, and all together at the same background. */
  const others = Array.from({ length: 3_000 }, (_, i) => ({
    id: `other${i}`,
    body: `nest ${i}`,
    vectors: withCosine((i % 2 === 0 ? 1 : -1) * (0.21 + (i >> 1) / 1e5)),
  }))

  it('[F4] adding records that match no word changes no score', async () => {
    const engine = await filled(pair)
    const scoreOf = async (limit: number) =>
      (await engine.call('recall', { query: { ...asked, limit } })).hits.find(({ id }) => id === 'after')!.score
    const alone = await scoreOf(10)
    expect(alone).toBeCloseTo(0.81 + 0.5 * 0.04, 4)
    for (let from = 0; from < others.length; from += 500)
      await engine.call('put', { batch: others.slice(from, from + 500) })
    for (const limit of [1, 10, 1000]) expect(Math.abs((await scoreOf(limit)) - alone)).toBeLessThan(1e-7)
  })

  it('[F4] every record of a session gives, whatever its rank: all scores are those of an oracle', async () => {
    const random = createRandom(1806)
    const cosines = Array.from({ length: 2_400 }, () => random.next() * 1.8 - 0.9)
    const engine = await filled(
      cosines.map((cosine, i) => ({
        id: `t${i}`,
        body: `turn ${i}`,
        session: `s${Math.floor(i / 30)}`,
        position: i % 30,
        vectors: withCosine(cosine),
      })),
    )
    const scores = scoresOf(cosines, cosines.length)
    const { hits } = await engine.call('recall', { query: asked })
    expect(wrongOf(hits, scores)).toEqual([])
    const order = [...scores].sort((a, b) => b - a)
    expect(hits.map(({ score }, place) => Math.abs(score - order[place]!)).filter((off) => off > tolerance)).toEqual([])
    for (const limit of [1, 10, 100]) {
      const few = await engine.call('recall', { query: { ...asked, limit } })
      expect(few.hits.map(short)).toEqual(hits.slice(0, limit).map(short))
    }
    // control: an oracle in which only the 1,000 nearest give.
    expect(wrongOf(hits, scoresOf(cosines, 1000)).length).toBeGreaterThan(10)
  })
})

/** What the background, nearly 0, may change. */
const tolerance = 1e-4

/** The scores of turns in sessions of 30 where the nearest `givers` give to the turn after them. */
function scoresOf(cosines: readonly number[], givers: number): readonly number[] {
  const least = [...cosines].sort((a, b) => b - a)[givers - 1]!
  const own = (i: number) => Math.max(0, cosines[i]!) ** 2
  return cosines.map((_, i) => own(i) + (i % 30 === 0 || cosines[i - 1]! < least ? 0 : 0.5 * own(i - 1)))
}

function wrongOf(hits: readonly Hit[], scores: readonly number[]): readonly string[] {
  return hits.filter(({ id, score }) => Math.abs(score - scores[Number(id.slice(1))]!) > tolerance).map(({ id }) => id)
}
