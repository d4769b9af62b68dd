/** Tests the bars that show a score to people. */
import { describe, expect, test } from 'vitest'
import type { Contribution } from '../../../src/core/model/result.ts'
import { barsOf } from '../../../src/devtools/report/bars.ts'

const part = (signal: string, amount: number): Contribution => ({
  signal,
  value: amount,
  weight: 1,
  amount,
  reason: signal,
})

describe('the bars of a score', () => {
  test('group signals by name, largest first', () => {
    const bars = barsOf([part('meaning', 0.3), part('lexical', 0.5), part('pairs', 0.2)])
    expect(bars).toEqual([
      { name: 'your words', amount: 0.7, share: 0.7, reasons: ['lexical', 'pairs'] },
      { name: 'meaning', amount: 0.3, share: 0.3, reasons: ['meaning'] },
    ])
  })

  test('are at most four, and the rest is in “other”, which comes last', () => {
    const bars = barsOf([
      part('lexical', 5),
      part('meaning', 4),
      part('time', 3),
      part('neighbours', 2),
      part('linked', 2),
      part('decay', -2),
    ])
    expect(bars.map(({ name, amount }) => [name, amount])).toEqual([
      ['your words', 5],
      ['meaning', 4],
      ['time', 3],
      ['other', 2],
    ])
    expect(bars.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  test('leave out reasons below 1 % of the whole', () => {
    const bars = barsOf([part('lexical', 1), part('pairs', 0.009), part('meaning', 0.5), part('cosine', 0.02)])
    expect(bars.map(({ reasons }) => reasons)).toEqual([['lexical'], ['meaning', 'cosine']])
  })

  test('leave out what is tiny', () => {
    expect(barsOf([part('lexical', 1), part('decay', -1e-9)]).map(({ name }) => name)).toEqual(['your words'])
  })

  test('are none without a score, and signals named like object members are “other”', () => {
    expect(barsOf([])).toEqual([])
    expect(barsOf([part('lexical', 0)])).toEqual([])
    expect(barsOf([part('constructor', 1)]).map(({ name }) => name)).toEqual(['other'])
  })
})
