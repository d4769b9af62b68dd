/** Checks the statistics of the lexical scores over a scope: the mean, the standard deviation and the best score. */
import { expect, test } from 'vitest'
import { keySetOf } from '../../../src/core/collections/key-set.ts'
import { createLexicalScorer } from '../../../src/core/lexical/bm25.ts'
import { policies } from '../../../src/core/policies/policies.ts'

const lengths = Uint32Array.of(4, 9, 3, 7, 5, 6)
const term = (...keys: readonly number[]) => ({
  weight: 1,
  keys: Uint32Array.from(keys),
  counts: keys.map(() => 1),
  titleCounts: keys.map(() => 0),
})

test.each([
  ['every record', null, [0, 1, 2, 3, 4, 5]],
  ['a scope', keySetOf(Uint32Array.of(0, 1, 4, 5), 6), [0, 1, 4, 5]],
])('over %s, in which records without a match count 0', (_, scopeKeys, keys) => {
  const tokens = keys.reduce((sum, key) => sum + lengths[key]!, 0)
  const scope = { records: keys.length, tokens, lengths, scopeKeys }
  const found = createLexicalScorer().score([term(0, 1, 3), term(1, 5)], [], scope, policies.balanced.lexical)
  const scores = keys.map((key) => found.score(key))
  const mean = scores.reduce((sum, score) => sum + score, 0) / keys.length
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / keys.length
  expect(found.mean).toBeCloseTo(mean, 4)
  expect(found.deviation).toBeCloseTo(Math.sqrt(variance), 4)
  expect(found.deviation).toBeGreaterThan(0.05)
  expect(found.best).toBe(Math.max(...scores))
})
