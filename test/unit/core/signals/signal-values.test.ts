/** Tests the values of the signals of a convex score against literals: the middle of each scale, its ends, and what is outside. */
import { describe, expect, test } from 'vitest'
import { policies } from '../../../../src/core/policies/policies.ts'
import { access, confidence, decay } from '../../../../src/core/signals/learned.ts'
import { lexical } from '../../../../src/core/signals/lexical.ts'
import { linked } from '../../../../src/core/signals/linked.ts'
import { backgroundOf, meaning, meaningWeight } from '../../../../src/core/signals/meaning.ts'
import { paths } from '../../../../src/core/signals/paths.ts'
import { boundedReasons } from '../../../../src/core/signals/reasons.ts'
import { recencyOf } from '../../../../src/core/signals/recency.ts'
import { recent } from '../../../../src/core/signals/recent.ts'
import type { Signal } from '../../../../src/core/signals/signal.ts'
import { terms } from '../../../../src/core/signals/terms.ts'

const day = 86_400_000
const now = 1_000 * day
const policy = {
  ...policies.balanced,
  recencyWindowDays: 10,
  reasonBound: 0.5,
  categoryFactor: { task: 0.5, match: 0.25, recency: 1, authority: 1, shape: 1, exclude: 1 },
  learned: { ...policies.balanced.learned, halfLifeDays: 30, halfReads: 5 },
} as typeof policies.balanced

/** The value of a signal for the only candidate. */
const valueOf = (signal: Signal, context: object, cosine = Number.NaN) =>
  signal.value({ policy, now, ...context } as never, 0, cosine)

describe('the value of a signal', () => {
  test.each([
    [0, 1],
    [2.5, 0.75],
    [10, 0],
    [11, 0],
    [-1, 1],
  ])('recency after %d of 10 days is %d', (days, value) => {
    expect(recencyOf(now - days * day, policy, now)).toBe(value)
  })

  test.each([
    [0, 0],
    [30, -0.5],
    [90, -0.75],
    [-5, 0],
  ])('decay after %d days of a half-life of 30 is %d', (days, value) => {
    expect(valueOf(decay, { candidates: { touchedAt: [now - days * day] } }) + 0).toBe(value)
  })

  test.each([
    [0, 0],
    [5, 0.5],
    [15, 0.75],
  ])('%d reads, of which 5 are a half, are %d', (reads, value) => {
    expect(valueOf(access, { candidates: { accesses: [reads] } })).toBe(value)
  })

  test.each([
    [0, -1],
    [0.5, 0],
    [0.75, 0.5],
    [1, 1],
  ])('confidence %d is %d', (stored, value) => {
    expect(valueOf(confidence, { candidates: { confidence: [stored] } })).toBe(value)
  })

  test.each([
    [0.25, 0.5],
    [0.5, 1],
    [0.75, 1],
  ])('links of %d are %d', (links, value) => {
    expect(valueOf(linked, { candidates: { linked: [links] } })).toBe(value)
  })

  test('words are a share of the best, or saturated', () => {
    const candidates = { lexical: [0.5] }
    const facts = { lexical: { highest: 6 } }
    expect(valueOf(lexical, { candidates, facts, fusion: { lexicalScale: 'absolute' } })).toBe(0.5)
    expect(valueOf(lexical, { candidates, facts, fusion: { lexicalScale: 'saturated' } })).toBe(0.75)
    expect(valueOf(lexical, { candidates, facts: { lexical: null }, fusion: { lexicalScale: 'saturated' } })).toBe(0)
  })

  test('a file is 1, a part of its path ½; an exact term is 1, however many; the third in a listing ⅓', () => {
    expect([2, 1, 0].map((places) => valueOf(paths, { candidates: { paths: [places] } }))).toEqual([1, 0.5, 0])
    expect([3, 1, 0].map((found) => valueOf(terms, { candidates: { terms: [found] } }))).toEqual([1, 1, 0])
    expect([1, 4, 0].map((rank) => valueOf(recent, { candidates: { recent: [rank] } }))).toEqual([1, 0.25, 0])
  })

  test.each([
    [0.25, 0],
    [0.5, 0.0625],
    [0.75, 0.25],
    [0.125, 0],
    [1.5, 1],
  ])('meaning of a cosine of %d above a background of ¼ is %d', (cosine, value) => {
    expect(valueOf(meaning, { background: 0.25 }, cosine)).toBe(value)
  })

  test('reason codes add up with their factors, within the bound on both sides', () => {
    const sumOf = (...codes: readonly (readonly [string, number])[]) =>
      boundedReasons(codes.map(([code, weight]) => ({ code, weight })) as never, policy)
    const { reasonWeights } = policy
    expect(sumOf()).toBe(0)
    expect(sumOf(['user_pinned', 0.5])).toBe(reasonWeights.user_pinned * 0.25)
    expect(sumOf(['user_pinned', 0.5], ['dependency_match', 0.5])).toBe(
      reasonWeights.user_pinned * 0.25 + reasonWeights.dependency_match * 0.125,
    )
    expect(sumOf(['user_pinned', 1], ['mandatory', 1])).toBe(0.5)
    expect(sumOf(['stale_context', 1])).toBe(-0.5)
  })
})

describe('the weight of meaning', () => {
  const tuning = {
    ...policies.balanced.fusion,
    weight: 2,
    peak: 1,
    peakOffset: 1,
    clamp: [0.5, 3] as const,
    trust: { half: 0.5 },
    backgroundPrior: 2,
  } as never
  const vector = { records: 8, mean: 0.25, deviation: 0.25, best: 0.75, space: 'any' } as never
  const words = (best: number) => ({ mean: 1, deviation: 1, best }) as never

  test('is the peak of the cosines over that of the words, within its clamp, times the trust in the space', () => {
    // (.75 − .25) / .25 = 2 deviations.
    expect(meaningWeight(null, vector, tuning)).toBe(4)
    expect(meaningWeight(words(2), vector, tuning)).toBe(2)
    expect(meaningWeight(words(0), vector, tuning)).toBe(4)
    expect(meaningWeight(words(100), vector, tuning)).toBe(1)
    expect(meaningWeight(null, { ...(vector as object), deviation: 0.0625 } as never, tuning)).toBe(6)
    expect(meaningWeight(null, { ...(vector as object), space: 'half' } as never, tuning)).toBe(2)
    expect(meaningWeight(null, { ...(vector as object), space: 'constructor' } as never, tuning)).toBe(4)
    expect(meaningWeight(null, null, tuning)).toBe(0)
    expect(meaningWeight(null, { ...(vector as object), records: 0 } as never, tuning)).toBe(0)
  })

  test('compares with the mean cosine of the scope, pulled towards 0', () => {
    expect(backgroundOf(null, tuning)).toBe(0)
    expect(backgroundOf(vector, tuning)).toBe(0.2)
  })
})
