/** Tests docs/spec/ranking.md#parity-vectors: RRF 60, ranks 1 and 2; and #staged-fusion: RRF 50, weighted. */
import { expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../src/core/fusion/reciprocal-rank-fusion.ts'
import { dimensions } from '../support/oracles/random-store.ts'
import { plainRanks } from '../support/stores/every-policy.ts'
import { openForPolicies } from '../support/stores/open-for-policies.ts'

it('RRF 60 of ranks 1 and 2 is .0325225', () => {
  const [best] = reciprocalRankFusion({ lexical: ['a', 'b'], vector: ['c', 'a'] })
  expect(best?.id).toBe('a')
  expect(best?.score).toBeCloseTo(0.0325225, 7)
  expect(best?.ranks).toEqual({ lexical: 1, vector: 2 })
})

it('RRF 50 with weights 1 and .85, as CtxSift fuses: ranks 1 and 1, ranks 2 and 18', () => {
  const filler = Array.from({ length: 16 }, (_, i) => `f${i}`)
  const fused = reciprocalRankFusion(
    { lexical: ['a', 'b'], vector: ['a', ...filler, 'b'] },
    { offset: 50, weights: { lexical: 1, vector: 0.85 } },
  )
  const scoreOf = (id: string) => fused.find((hit) => hit.id === id)?.score
  expect(scoreOf('a')).toBeCloseTo(0.0362745, 7)
  expect(scoreOf('b')).toBeCloseTo(0.0317308, 7)
})

it('[G3] a policy of plain ranks scores by the ranks it reports, also for ties and far down', async () => {
  const recall = await openForPolicies('plain-ranks', 0)
  const vectorOf = (i: number) => new Float32Array(dimensions).fill(1).fill(i / 10, 1)
  const records = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, body: `nest ${i % 4 === 0 ? 'acorn' : 'egg'}` }))
  await recall.put(records.map((record, i) => ({ ...record, updatedAt: i, vectors: vectorOf(i) })))
  const policy = { ...plainRanks, collapse: 'none' } as const
  const { hits } = await recall.recall({ text: 'nest acorn', vector: vectorOf(0), policy, limit: 40 })
  const { lexical, vector } = plainRanks.fusion.weights as { lexical: number; vector: number }
  expect(hits).toHaveLength(40)
  for (const { id, score, ranks } of hits) {
    expect(score, id).toBe(lexical * (1 / (60 + (ranks.lexical ?? 0))) + vector * (1 / (60 + (ranks.vector ?? 0))))
    const { ranks: explained } = await recall.why({ text: 'nest acorn', vector: vectorOf(0), policy, limit: 40 }, id)
    expect(explained, id).toEqual(ranks)
  }
  expect(hits.map(({ ranks }) => ranks.lexical).sort((a = 0, b = 0) => a - b)).toEqual(hits.map((_, i) => i + 1))
  // Control: another policy lets equals share a rank, and reports only the ranks of the nearest.
  const other = await recall.recall({ text: 'nest acorn', vector: vectorOf(0), limit: 40, collapse: 'none' })
  expect(new Set(other.hits.map(({ ranks }) => ranks.lexical)).size).toBe(2)
  expect(other.hits.filter(({ ranks }) => ranks.vector !== undefined).length).toBeLessThan(40)
})
