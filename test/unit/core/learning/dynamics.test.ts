/** Tests the formulas of learned state: naive oracles on thousands of cases, and the laws of signals. */
import { describe, expect, it } from 'vitest'
import {
  compositeScore,
  cyclicScore,
  decayScore,
  dueScore,
  excessLinks,
  linkWeight,
  strengthenedWeight,
  summariseErrors,
  tuning,
  weakenedWeight,
  writeDecision,
} from '../../../../src/core/index.ts'
import { createRandom, type Random } from '../../../support/data/random.ts'
import { cases, expectNear } from './expect-near.ts'

const day = 86_400_000

describe('decay', () => {
  it('equals the formula as it is written, on 5,000 cases', () => {
    const random = createRandom(41)
    for (let i = 0; i < cases; i++) {
      const [importance, ageDays] = [wide(random, 1e6) * (random.next() < 0.2 ? -1 : 1), wide(random, 1e6)]
      const rate = random.pick([0, 0.1, 0.5, random.next() * 2])
      const confidence = random.next() < 0.3 ? undefined : random.next()
      const age = Math.max(ageDays, 0.01)
      const bent = confidence === undefined ? rate : rate * 2 ** (2 * 0.5 * (0.5 - confidence))
      const naive = Math.sign(importance) * Math.abs(importance) * age ** -rate * Math.max(age, 1) ** -(bent - rate)
      expectNear(decayScore({ importance, ageDays, rate, confidence }), naive, `case ${i}`)
    }
  })

  it('[G2] never rises with age, and a future time is age 0', () => {
    const random = createRandom(42)
    for (let i = 0; i < cases; i++) {
      const [importance, rate, confidence] = [wide(random, 1e6), random.pick([0.1, 0.5, 2]), random.next()]
      const ageMs = Math.floor(wide(random, 1e16))
      const ages = [ageMs, ageMs + 1, ageMs + 1 + Math.floor(wide(random, 1e10))].map((ms) => ms / day)
      const scores = ages.map((ageDays) => decayScore({ importance, ageDays, rate, confidence }))
      expect(scores, `case ${i}`).toEqual([...scores].sort((a, b) => b - a))
    }
    for (const ageDays of [-0, -1e-9, -5, -2e8])
      expect(decayScore({ importance: 1, ageDays })).toBe(decayScore({ importance: 1, ageDays: 0 }))
  })

  it('[G2] control: pressure, which the law excepts, rises', () => {
    const pressed = (ageDays: number) =>
      cyclicScore({ importance: 1, ageDays, cycles: [], nowMs: 1e12, pressureRate: 0.1 })
    expect(pressed(3)).toBeGreaterThan(pressed(2))
  })

  it('[G1] is finite for every valid record', () => {
    for (const importance of [0, 1, 1e6])
      for (const ageDays of [0, 0.01, 1, 2e8])
        for (const rate of [0, 0.1, tuning.maxDecayRate])
          for (const confidence of [undefined, 0, 1])
            expect(decayScore({ importance, ageDays, rate, confidence })).toSatisfy(Number.isFinite)
  })

  it('[G1] control: refuses values that would make it infinite', () => {
    const record = { importance: 1, ageDays: 1 }
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
      expect(() => decayScore({ ...record, importance: wrong as number })).toThrow(
        /^`importance` .*Give a finite number/,
      )
      expect(() => decayScore({ ...record, ageDays: wrong as number })).toThrow(/^`ageDays`/)
      expect(() => decayScore({ ...record, rate: wrong as number })).toThrow(/^`rate`/)
      expect(() => decayScore({ ...record, confidence: wrong as number })).toThrow(/^`confidence`/)
    }
    expect(() => decayScore({ ...record, rate: 101 })).toThrow(/^`rate`/)
    expect(() => decayScore({ ...record, confidence: 1.01 })).toThrow(/^`confidence`/)
  })
})

describe('cycles and pressure', () => {
  it('equal the formula as it is written', () => {
    const random = createRandom(44)
    for (let i = 0; i < cases; i++) {
      const cycles = Array.from({ length: random.below(4) }, () => ({
        periodSeconds: 60 + wide(random, 3e7),
        amplitude: random.next() * 2,
        phaseSeconds: random.next() * 1e6,
      }))
      const [nowMs, pressureRate, lastResolvedMs] = [random.next() * 1e9, random.next() * 3, random.next() * 1e9]
      const naive =
        cycles.reduce((sum, { periodSeconds, amplitude, phaseSeconds }) => {
          const counted = amplitude < 0.01 ? 0 : amplitude
          return sum + counted * Math.cos((2 * Math.PI * (nowMs / 1000 - phaseSeconds)) / periodSeconds)
        }, 0) +
        (pressureRate * Math.max(nowMs - lastResolvedMs, 0)) / day
      expect(Math.abs(dueScore({ cycles, nowMs, pressureRate, lastResolvedMs }) - naive)).toBeLessThan(1e-7)
    }
  })

  it('build up from the start of the decay clock, where nothing was resolved', () => {
    const record = { importance: 1, ageDays: 3, cycles: [], nowMs: 5 * day, pressureRate: 2 }
    expect(cyclicScore(record)).toBeCloseTo(decayScore(record) + 6, 12)
    expect(cyclicScore({ ...record, lastResolvedMs: 4.5 * day })).toBeCloseTo(decayScore(record) + 1, 12)
    expect(cyclicScore({ ...record, lastResolvedMs: 9 * day })).toBe(decayScore(record))
  })

  it('[G1] are finite for every valid record and now', () => {
    for (const nowMs of [-8.64e15, -1, 0, 8.64e15])
      for (const periodSeconds of [60, 1e12])
        for (const phaseSeconds of [-1e13, 0, 1e13]) {
          const cycles = Array.from({ length: 16 }, () => ({ periodSeconds, phaseSeconds, amplitude: 100 }))
          const due = { cycles, nowMs, pressureRate: 1e6, lastResolvedMs: -8.64e15 }
          expect(dueScore(due)).toSatisfy(Number.isFinite)
          expect(cyclicScore({ importance: 1e6, ageDays: 2e8, ...due })).toSatisfy(Number.isFinite)
        }
  })

  it('[G1] control: refuse values that would make them infinite', () => {
    const due = { cycles: [], nowMs: 0, lastResolvedMs: 0 }
    expect(() => dueScore({ ...due, nowMs: 9e15 })).toThrow(/^`nowMs`/)
    expect(() => dueScore({ ...due, pressureRate: -1 })).toThrow(/^`pressureRate`/)
    const cycle = { periodSeconds: 0, amplitude: 1, phaseSeconds: 0 }
    expect(() => dueScore({ ...due, cycles: [cycle] })).toThrow(/^`periodSeconds` must be a number of at least 60/)
  })
})

describe('links', () => {
  it('are created once, strengthened up to 1 and weakened until they are gone', () => {
    expect(linkWeight(undefined)).toBe(0.1)
    expect(linkWeight(0.3)).toBe(0.3)
    expect(linkWeight(0.3, 0.2)).toBe(0.2)
    expect(strengthenedWeight(undefined)).toBe(0.05)
    expect(strengthenedWeight(0.3, 0.25)).toBe(0.55)
    expect(strengthenedWeight(0.98)).toBe(1)
    expect(weakenedWeight(0.1)).toBeCloseTo(0.095, 12)
    expect(weakenedWeight(0.001)).toBeNull()
    expect(weakenedWeight(0.001, 1)).toBe(0.001)
    expect(() => linkWeight(undefined, 2)).toThrow(/^`weight`/)
    expect(() => strengthenedWeight(0.1, 0)).toThrow(/^`delta`/)
    expect(() => weakenedWeight(0.1, 1.5)).toThrow(/^`factor`/)
  })

  it('beyond the maximum per record, the weakest are dropped', () => {
    const links = [
      { id: 'b', weight: 0.1 },
      { id: 'strong', weight: 0.9 },
      { id: 'a', weight: 0.1 },
    ]
    expect(excessLinks(links, 2)).toEqual([{ id: 'a', weight: 0.1 }])
    expect(excessLinks(links, 1).map(({ id }) => id)).toEqual(['b', 'a'])
    expect(excessLinks(links)).toEqual([])
  })
})

it('the write filter refuses records that their writer rated low', () => {
  expect([null, 0, 0.0999, 0.1, 0.6999, 0.7, 1].map(writeDecision)).toEqual([
    'stored',
    'filtered',
    'filtered',
    'stored',
    'stored',
    'priority',
    'priority',
  ])
})

it('a composite score is the raw weighted sum, and a missing component is 0', () => {
  expect(compositeScore({ decay: 2, confidence: 0.5, access: 7 }, { decay: 0.6, confidence: 0.3 })).toBe(1.2 + 0.15)
  expect(compositeScore({}, { decay: 1 })).toBe(0)
  expect(() => compositeScore({ decay: Number.NaN }, { decay: 1 })).toThrow(/^`decay`/)
})

describe('summaries of prediction errors', () => {
  it('equal a naive summary of each day', () => {
    const random = createRandom(49)
    const errors = Array.from({ length: 3000 }, () => ({
      error: random.next() * 2,
      resolvedAt: Date.UTC(2024, 1, 26) + random.below(8 * day),
    }))
    const days = summariseErrors(errors)
    expect(days.map(({ day: name }) => name)).toEqual([
      '2024-02-26',
      '2024-02-27',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2024-03-02',
      '2024-03-03',
      '2024-03-04',
    ])
    for (const summary of days) {
      const own = errors
        .filter(({ resolvedAt }) => new Date(resolvedAt).toISOString().startsWith(summary.day))
        .map(({ error }) => error)
        .sort((a, b) => a - b)
      const mean = own.reduce((sum, error) => sum + error, 0) / own.length
      expect(summary.count).toBe(own.length)
      expectNear(summary.mean, mean)
      expectNear(summary.sd, Math.sqrt(own.reduce((sum, error) => sum + (error - mean) ** 2, 0) / own.length))
      // Nearest rank: the first value such that at least p percent of the values are not above it.
      const rank = (p: number) => own.find((_, i) => (i + 1) * 100 >= p * own.length)
      expect([summary.p50, summary.p90, summary.p99]).toEqual([rank(50), rank(90), rank(99)])
    }
    expect(summariseErrors(random.shuffled(errors))).toEqual(days)
    expect(summariseErrors([])).toEqual([])
  })

  it('name every day as ISO 8601 does', () => {
    const random = createRandom(50)
    const times = [-8.64e15, -62_167_219_200_001, -1, 0, 253_402_300_800_000, 8.64e15]
    for (let i = 0; i < 2000; i++) times.push(Math.floor((random.next() - 0.5) * 1.7e16))
    for (const resolvedAt of times)
      expect(summariseErrors([{ error: 0, resolvedAt }])[0]?.day).toBe(
        new Date(resolvedAt).toISOString().replace(/T.*/, ''),
      )
  })
})

/** From 0 to `most`, with small values as frequent as large ones. */
function wide(random: Random, most: number): number {
  return random.next() < 0.05 ? 0 : Math.exp(random.next() * Math.log(most))
}
