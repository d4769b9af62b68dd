/** Tests the probability of evidence: its order, its range for each strength, and that it says what happened to the strength. */
import { describe, expect, it, test } from 'vitest'
import { strengthOrder } from '../../../src/core/evidence/evidence.ts'
import { type Mix, probabilityOf, withinStrength } from '../../../src/core/evidence/probability.ts'
import type { Evidence, EvidenceStrength } from '../../../src/core/model/result.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const mixes: readonly Mix[] = ['wordsAndMeaning', 'wordsAlone', 'meaningAlone', 'acrossLanguages']
const evidence = (strength: EvidenceStrength, probability: number): Evidence => ({
  strength,
  probability,
  coverage: 0.5,
  topCosine: null,
  gap: 0,
})

describe.each(mixes)('the curve of %s', (mix) => {
  it('rises with the support, within 0 and 1, in steps of .001', () => {
    const positions = Array.from({ length: 201 }, (_, i) => (i - 100) / 10)
    const values = positions.map((position) => probabilityOf(mix, position))
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(values[0]).toBeLessThan(0.05)
    expect(values.at(-1)).toBeGreaterThan(0.95)
    for (const value of values) expect(value).toBe(Math.round(value * 1000) / 1000)
    expect(probabilityOf(mix, Number.NEGATIVE_INFINITY)).toBe(0)
    expect(probabilityOf(mix, Number.POSITIVE_INFINITY)).toBe(1)
  })

  it('gives a strong answer at least the odds of none, and no answer at most those of an answer', () => {
    expect(probabilityOf(mix, 1)).toBeGreaterThanOrEqual(0.5)
    expect(probabilityOf(mix, 0)).toBeLessThanOrEqual(0.5)
  })

  it('stays within the range of the strength, whatever changed the strength', () => {
    const [weak, strong] = [probabilityOf(mix, 0), probabilityOf(mix, 1)]
    expect(withinStrength(evidence('none', 0.99), mix).probability).toBe(weak)
    expect(withinStrength(evidence('weak', 0.99), mix).probability).toBe(strong)
    expect(withinStrength(evidence('weak', 0), mix).probability).toBe(weak)
    expect(withinStrength(evidence('strong', 0), mix).probability).toBe(strong)
    const inside = evidence('none', weak / 2)
    expect(withinStrength(inside, mix)).toEqual(inside)
  })
})

test('a higher strength never has a lower probability, in a store of notes', async () => {
  const { call } = await openEngine()
  const bodies = [
    'The tram to the harbour leaves every ten minutes.',
    'Rent is due on the third working day of the month.',
    'Lena is allergic to walnuts.',
  ]
  await call('put', { batch: bodies.map((body, i) => ({ id: `n${i}`, body })) })
  const texts = [
    ...bodies,
    'when is the rent due?',
    'tram',
    'who sells walnuts and bolts?',
    'steel tariffs',
    'zzz',
    'a working tram of steel in Hamburg',
  ]
  const seen: Pick<Evidence, 'strength' | 'probability'>[] = []
  for (const text of texts) seen.push((await call('recall', { query: { text } })).evidence)
  for (const one of seen)
    for (const other of seen)
      if (strengthOrder[one.strength] > strengthOrder[other.strength])
        expect(one.probability).toBeGreaterThanOrEqual(other.probability)
  expect(new Set(seen.map(({ strength }) => strength)).size).toBe(3)
  expect((await call('recall', { query: { text: 'rent', scope: { tags: { any: ['absent'] } } } })).evidence).toEqual({
    strength: 'none',
    probability: 0,
    coverage: 0,
    topCosine: null,
    gap: 0,
  })
})
