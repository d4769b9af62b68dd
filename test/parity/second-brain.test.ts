/**
 * Tests the second brain's numbers, docs/spec/ranking.md#product-fusion: cosine × decay by tag × importance, once by the
 * oracle, once by the engine.
 */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { oracleRecordOf } from '../support/oracles/oracle-record.ts'
import { dayMs, dimensions } from '../support/oracles/random-store.ts'
import { secondBrainRanking } from '../support/oracles/second-brain.ts'
import { openForPolicies } from '../support/stores/open-for-policies.ts'

const now = Date.UTC(2026, 4, 1)
const { secondBrain } = policies
const atOneLife = 0.36787944

/** Tags, age in days, importance and cosine, and their score. */
const cases = [
  { name: 'now', tags: [], ageDays: 0, score: 1 },
  { name: 'in the future', tags: [], ageDays: -9, score: 1 },
  { name: 'no tag that decays otherwise: 30 days', tags: ['other'], ageDays: 30, score: atOneLife },
  { name: 'task: 7 days', tags: ['task'], ageDays: 7, score: atOneLife },
  { name: 'context: 180 days', tags: ['context'], ageDays: 180, score: atOneLife },
  { name: 'work: 90 days', tags: ['work'], ageDays: 90, score: atOneLife },
  { name: 'task before context, whatever their order', tags: ['context', 'task'], ageDays: 7, score: atOneLife },
  { name: 'context before work', tags: ['work', 'context'], ageDays: 180, score: atOneLife },
  { name: 'importance multiplies as it is', tags: [], ageDays: 30, importance: 5, score: 5 * atOneLife },
  { name: 'a cosine of a half', tags: [], ageDays: 30, cosine: 0.5, score: atOneLife / 2 },
  { name: 'a cosine below 0', tags: [], ageDays: 30, importance: 2, cosine: -0.5, score: -atOneLife },
] as const

const inputs = cases.map((one, i): RecordInput => {
  const { importance = 1, cosine = 1 } = one as { importance?: number; cosine?: number }
  const createdAt = now - one.ageDays * dayMs
  return {
    id: `${i}`,
    body: `text ${i}`,
    tags: [...one.tags],
    importance,
    createdAt,
    updatedAt: now,
    vectors: vectorAt(cosine),
  }
})

it.each(cases)('the oracle: $name', ({ name, score }) => {
  const ranking = secondBrainRanking(inputs.map(oracleRecordOf), vectorAt(1), now)
  expect(ranking.find(({ id }) => id === idOf(name))?.score).toBeCloseTo(score, 7)
})

it('the oracle: use raises decay, to 1 at most', () => {
  const records = inputs.map(oracleRecordOf)
  const score = (count: number) =>
    secondBrainRanking(records, vectorAt(1), now, { 2: count }).find(({ id }) => id === '2')?.score
  expect(score(1)).toBeCloseTo(atOneLife * 1.69314718, 7)
  expect(score(100)).toBe(1)
})

describe('the engine', () => {
  it('gives these scores', async () => {
    const hits = await recallBy('secondBrain')
    for (const { name, score } of cases) {
      expect(hits.find(({ id }) => id === idOf(name))?.score, name).toBeCloseTo(score, 7)
    }
  })

  it('gives the cosine alone without decay', async () => {
    const hits = await recallBy({ ...secondBrain, decay: false })
    expect(hits.map(({ id, score }) => [id, Math.round(score * 1e7) / 1e7])).toEqual([
      ...['8', '7', '6', '5', '4', '3', '2', '1', '0'].map((id) => [id, 1]),
      ['9', 0.5],
      ['10', -0.5],
    ])
  })
})

function idOf(name: string): string {
  return `${cases.findIndex((one) => one.name === name)}`
}

async function recallBy(policy: unknown) {
  const store = await openForPolicies('second brain', now)
  await store.put(inputs.map((input) => ({ ...input, vectors: (input.vectors as Float32Array).slice() })))
  const { hits } = await store.recall({ vector: vectorAt(1), limit: 100, policy } as RecallQuery)
  await store.destroy()
  return hits
}

/** A unit vector with this cosine to the question; of halves, so that they are exact. */
function vectorAt(cosine: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = cosine
  if (Math.abs(cosine) === 0.5) vector.fill(0.5, 1, 4)
  return vector
}
