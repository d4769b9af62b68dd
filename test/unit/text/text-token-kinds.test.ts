/**
 * [S1] Compares the estimate with true counts, on one text of each kind that is random, repeated, encoded or written
 * in one case. `token-samples.json` holds the texts of `tokenSamples(16, 1)` of `test/support/token-kinds.ts`, and
 * their counts by js-tiktoken; `test/integration/recall/token-estimate.test.ts` counts them again.
 */
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import samples from '../../fixtures/token-samples.json' with { type: 'json' }
import { tokenKinds } from '../../support/token-kinds.ts'

const within = (estimate: number, tokens: number) => Math.abs(estimate / tokens - 1) <= 0.15

describe('estimateTokens', () => {
  test('[S1] has a stored sample of every kind', () => {
    expect(samples.map(({ kind }) => kind)).toEqual(Object.keys(tokenKinds))
  })

  test.each(samples.map((sample) => [sample.kind, sample] as const))(
    '[S1] is within 15 percent of cl100k: %s',
    (_, sample) => {
      const ratio = estimateTokens(sample.text) / sample.tokens
      expect(ratio).toBeGreaterThanOrEqual(0.85)
      expect(ratio).toBeLessThanOrEqual(1.15)
    },
  )

  test('[S1] adds up to within 3 % over all kinds', () => {
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
    const ratio = sum(samples.map(({ text }) => estimateTokens(text))) / sum(samples.map(({ tokens }) => tokens))
    expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
  })

  test('control: neither a quarter of the characters nor a count of words is within 15 % on a quarter of the kinds', () => {
    const perCharacter = samples.filter(({ text, tokens }) => within(text.length / 4, tokens))
    const perWord = samples.filter(({ text, tokens }) => within(1.3 * text.split(/\s+/).length, tokens))
    expect(perCharacter.length).toBeLessThan(samples.length / 4)
    expect(perWord.length).toBeLessThan(samples.length / 4)
  })
})
