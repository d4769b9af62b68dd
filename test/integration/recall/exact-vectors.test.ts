/**
 * [V1] Compares recall by vector with float64 brute force, whatever the int8 codes estimate. All times are equal, so
 * that ties are broken by id on both sides.
 */
import { describe, expect, it } from 'vitest'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { decodeVector, encodeVector } from '../../../worker/vector/quantise.ts'
import { type BruteRecord, bruteForce } from '../../support/brute-force.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const count = 2000
const limits = [1, 10, 100, 1000]
const seed = 61
/** Words weigh so much that no vector decides; few records contain one of these words. */
const wordsFirst: ConvexPolicy = { ...policies.balanced, fusion: { ...policies.balanced.fusion, lexical: 50 } }
const cases = [3, 33, 128, 384].map((dimensions) => ({ dimensions, ...fixture(dimensions) }))

describe.each(cases)('a store of vectors of $dimensions dimensions', ({ dimensions, records, queries }) => {
  let engine: Promise<TestEngine> | undefined
  const opened = () => (engine ??= openWith(records, dimensions))

  it.each(limits)('[V1] equals brute force, limit %i', async (limit) => {
    const { call } = await opened()
    for (const vector of queries) {
      const { hits } = await call('recall', { query: { vector, limit, collapse: 'none' } })
      expect(hits.map(({ id }) => id)).toEqual(bruteForce(vector, records, limit).map(({ id }) => id))
    }
  })

  it('[V1] equals brute force within a tag, and reports a complete scan of it', async () => {
    const { call } = await opened()
    const tagged = records.filter((_, i) => i % 7 === 0)
    for (const vector of queries) {
      const query = { vector, limit: 100, scope: { tags: { all: ['seventh'] } }, collapse: 'none' as const }
      const { hits, plan } = await call('recall', { query })
      expect(hits.map(({ id }) => id)).toEqual(bruteForce(vector, tagged, 100).map(({ id }) => id))
      const chunks = tagged.reduce((sum, { vectors }) => sum + vectors.length, 0)
      const matched = tagged.filter(({ vectors }) => vectors.length > 0).length
      expect(plan.channels.vector).toMatchObject({ mode: 'exact-tag', scanned: chunks, matched, complete: true })
    }
  })

  it('[V1] gives the same cosines for its best hits as float64', async () => {
    const { call } = await opened()
    for (const vector of queries) {
      const { evidence } = await call('recall', { query: { vector } })
      expect(evidence.topCosine).toBe(bruteForce(vector, records, 1)[0]?.cosine)
    }
  })

  it('[V1] gives the same best cosine as float64 where words decide and its record is not among the hits', async () => {
    const { call } = await opened()
    for (const vector of queries) {
      const query = { text: 'worded', vector, limit: 1, collapse: 'none' as const, policy: wordsFirst }
      const { hits, evidence } = await call('recall', { query })
      const [best] = bruteForce(vector, records, 1)
      expect(hits.map(({ record }) => record.title)).toEqual(['worded'])
      expect(hits[0]?.id).not.toBe(best?.id)
      expect(evidence.topCosine).toBe(best?.cosine)
    }
  })

  it('[V1] control: the int8 codes alone order some answer differently', () => {
    const decoded = records.map(({ id, vectors }) => ({
      id,
      vectors: vectors.map((vector) => Float32Array.from(decodeVector(encodeVector(vector)))),
    }))
    const differs = queries.some((vector) => {
      const [exact, raw] = [bruteForce(vector, records, 1000), bruteForce(vector, decoded, 1000)]
      return exact.some(({ id }, i) => id !== raw[i]?.id)
    })
    expect(differs).toBe(true)
  })
})

it('[V1] finds the best among thousands that their codes cannot distinguish', async () => {
  const random = createRandom(seed)
  const centre = random.vector(8)
  const records = Array.from({ length: 4500 }, (_, i) => ({ id: `r${i}`, vectors: [near(centre, random, 1e-3)] }))
  const { call } = await openWith(records, 8)
  for (const limit of limits) {
    const { hits } = await call('recall', { query: { vector: centre, limit, collapse: 'none' } })
    expect(hits.map(({ id }) => id)).toEqual(bruteForce(centre, records, limit).map(({ id }) => id))
  }
})

async function openWith(records: readonly BruteRecord[], dimensions: number): Promise<TestEngine> {
  const opened = await openEngine({ space: { name: `plain-${dimensions}`, dimensions } })
  const batch = records.map(({ id, vectors }, i) => ({
    id,
    body: `record ${id}`,
    vectors,
    tags: i % 7 === 0 ? ['seventh'] : [],
  }))
  await opened.call('put', { batch })
  const worded = Array.from({ length: 5 }, (_, i) => ({ id: `worded-${i}`, title: 'worded', vectors: [] }))
  await opened.call('put', { batch: worded })
  return opened
}

/**
 * Plain vectors, chunks, near-duplicates closer than a code can distinguish, opposites, zero vectors, records without
 * a vector.
 */
function fixture(dimensions: number): { records: BruteRecord[]; queries: Float32Array[] } {
  const random = createRandom(seed + dimensions)
  const centre = random.vector(dimensions)
  const records = createRandom(seed).shuffled(
    Array.from({ length: count }, (_, i) => ({ id: `r${i}`, vectors: vectorsOf(i, random, dimensions, centre) })),
  )
  const queries = [
    random.vector(dimensions),
    random.vector(dimensions),
    centre,
    near(centre, random, 1e-3),
    new Float32Array(dimensions),
  ]
  return { records, queries }
}

function vectorsOf(i: number, random: Random, dimensions: number, centre: Float32Array): Float32Array[] {
  if (i % 100 === 0) return [new Float32Array(dimensions)]
  if (i % 101 === 0) return []
  if (i % 5 === 0) return [near(centre, random, 1e-4)]
  if (i % 11 === 0) return [random.vector(dimensions), near(centre, random, 0.5), random.vector(dimensions)]
  if (i % 13 === 0) return [random.vector(dimensions).map((component) => component * 1e-20)]
  return [random.vector(dimensions)]
}

function near(centre: Float32Array, random: Random, distance: number): Float32Array {
  const step = random.vector(centre.length)
  return centre.map((component, i) => component + distance * step[i]!)
}
