/** SPEC §12: RRF 60, ranks 1 and 2; SPEC §6.2: RRF 50, weighted. */
import { expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../src/core/fusion/reciprocal-rank-fusion.ts'

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
