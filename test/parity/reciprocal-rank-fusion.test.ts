/** SPEC §12: RRF 60, ranks 1 and 2. */
import { expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../src/core/fusion/reciprocal-rank-fusion.ts'

it('RRF 60 of ranks 1 and 2 is .0325225', () => {
  const [best] = reciprocalRankFusion({ lexical: ['a', 'b'], vector: ['c', 'a'] })
  expect(best?.id).toBe('a')
  expect(best?.score).toBeCloseTo(0.0325225, 7)
  expect(best?.ranks).toEqual({ lexical: 1, vector: 2 })
})
