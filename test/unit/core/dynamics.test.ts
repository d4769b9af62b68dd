/** Tests the formulas of learned state: naive oracles on thousands of cases, and the laws of signals. */
import { describe, expect, it } from 'vitest'
import {
  applyOutcome,
  type ConfidenceState,
  compositeScore,
  cyclicScore,
  decayScore,
  dueScore,
  excessLinks,
  type LearnedState,
  linkWeight,
  nothingLearned,
  type Outcome,
  outcomes,
  strengthenedWeight,
  summariseErrors,
  tuning,
  updateConfidence,
  weakenedWeight,
  writeDecision,
} from '../../../src/core/index.ts'
import { startingConfidence } from '../../../src/core/learning/update-confidence.ts'
import { createRandom, type Random } from '../../support/data/random.ts'

const cases = 5000
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

describe('confidence', () => {
  it('equals the mean of its start and its signals below the cap, on 5,000 cases', () => {
    const random = createRandom(45)
    for (let i = 0; i < cases; i++) {
      const signals = Array.from({ length: 1 + random.below(20) }, () => random.next())
      const naive = [0.5, ...signals].reduce((sum, signal) => sum + signal, 0) / (signals.length + 1)
      const state = after(signals)
      expectNear(state.confidence, naive, `case ${i}`)
      expect(state).toMatchObject({
        evidence: signals.length,
        corroborations: signals.filter((signal) => signal >= 0.5).length,
        contradictions: signals.filter((signal) => signal < 0.5).length,
      })
    }
  })

  it('counts a signal of exactly one half as supporting, and the next lower number as opposing', () => {
    expect(after([0.5])).toEqual({ confidence: 0.5, evidence: 1, corroborations: 1, contradictions: 0 })
    expect(after([0.5 - 2 ** -54])).toMatchObject({ corroborations: 0, contradictions: 1 })
  })

  it('does not depend on the order of signals below the cap', () => {
    const random = createRandom(46)
    for (let i = 0; i < 1000; i++) {
      const signals = Array.from({ length: 20 }, () => random.next())
      expectNear(after(random.shuffled(signals)).confidence, after(signals).confidence, `case ${i}`)
    }
  })

  it('control: beyond the cap the order matters, and the last signals weigh more', () => {
    const [against, supporting] = [Array<number>(30).fill(0.1), Array<number>(30).fill(0.9)]
    expect(after([...against, ...supporting]).confidence).toBeGreaterThan(
      after([...supporting, ...against]).confidence + 0.1,
    )
  })

  it('follows the older rule on request', () => {
    const random = createRandom(47)
    for (let i = 0; i < cases; i++) {
      const state = { confidence: random.next(), evidence: random.below(100) }
      const signal = random.next()
      const naive = state.confidence + (signal - state.confidence) / Math.sqrt(state.evidence + 1)
      expectNear(updateConfidence(state, signal, 'sqrt').confidence, naive, `case ${i}`)
    }
    expect(updateConfidence(startingConfidence, 0.9, 'sqrt').confidence).toBe(0.9)
  })

  it('refuses malformed signals, states and rules', () => {
    for (const signal of [-0.1, 1.1, Number.NaN])
      expect(() => updateConfidence(startingConfidence, signal)).toThrow(/^`signal`/)
    expect(() => updateConfidence({ confidence: 2, evidence: 0 }, 1)).toThrow(/^`confidence`/)
    expect(() => updateConfidence(startingConfidence, 1, 'mean' as never)).toThrow(/^`rule` .*"bounded" or "sqrt"/)
  })

  const after = (signals: readonly number[]) =>
    signals.reduce<ConfidenceState>((state, signal) => updateConfidence(state, signal), startingConfidence)
})

describe('outcomes', () => {
  const learned: LearnedState = { ...nothingLearned([1, 0.5]), touchedAt: 1, resolvedAt: 2 }
  const context = { nowMs: 100, hasOpenPrediction: true }
  const next = (outcome: Outcome, state = learned) => applyOutcome(state, outcome, context)

  it('have the effects of the table', () => {
    expect(next('acted')).toMatchObject({
      state: { touchedAt: 100, resolvedAt: 100, accessCount: 1, accessedAt: [100], amplitudes: [1.2, 0.6] },
      predictionError: 0.1,
    })
    expect(next('acted').state.confidence.confidence).toBeCloseTo(0.7, 12)
    expect(next('used')).toEqual({ state: { ...learned, accessCount: 1, accessedAt: [100] }, predictionError: 0.3 })
    expect(next('dismissed')).toEqual({ state: { ...learned, amplitudes: [0.8, 0.4] }, predictionError: 0.5 })
    expect(next('deferred')).toEqual({ state: learned, predictionError: null })
    const contradicted = next('contradicted')
    expect(contradicted).toMatchObject({
      state: { touchedAt: 1, resolvedAt: 2, accessCount: 0, amplitudes: [0.5, 0.25] },
      predictionError: 0.9,
    })
    // (.5 + .1) / 2, then (.5 + .1 + .2) / 3
    expect(contradicted.state.confidence).toMatchObject({ evidence: 2, contradictions: 2 })
    expect(contradicted.state.confidence.confidence).toBeCloseTo(0.8 / 3, 12)
  })

  it('change no prediction where there is none', () => {
    for (const outcome of Object.keys(outcomes) as Outcome[])
      expect(applyOutcome(learned, outcome, { nowMs: 1, hasOpenPrediction: false }).predictionError).toBeNull()
  })

  it('test the pressure of a contradicted record after both of its signals', () => {
    const doubted = (confidence: number): LearnedState => ({
      ...learned,
      confidence: { ...startingConfidence, confidence, evidence: 19 },
    })
    const resolvedAt = (state: LearnedState, hasOpenPrediction: boolean) =>
      applyOutcome(state, 'contradicted', { nowMs: 100, hasOpenPrediction }).state.resolvedAt
    expect(resolvedAt(doubted(0.1), false)).toBe(100)
    // The surprise's .2 lifts it above the bound again.
    expect(resolvedAt(doubted(0.1), true)).toBe(2)
    expect(resolvedAt(doubted(0.2), false)).toBe(2)
  })

  it('[G1] stay within bounds after any history of 1,000', () => {
    const names = Object.keys(outcomes) as Outcome[]
    const random = createRandom(48)
    for (const history of [() => 'acted' as const, () => 'contradicted' as const, () => random.pick(names)]) {
      let state = nothingLearned([0.02, 1, 100])
      for (let i = 0; i < 1000; i++) state = applyOutcome(state, history(), { ...context, nowMs: i }).state
      expect(state.confidence.confidence).toBeGreaterThanOrEqual(0)
      expect(state.confidence.confidence).toBeLessThanOrEqual(1)
      for (const amplitude of state.amplitudes)
        expect(amplitude === 0 || (amplitude >= 0.01 && amplitude <= 100)).toBe(true)
      expect(state.accessedAt.length).toBeLessThanOrEqual(100)
      expect(state.accessedAt).toEqual([...state.accessedAt].sort((a, b) => a - b))
    }
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

function expectNear(value: number, naive: number, message?: string): void {
  expect(Math.abs(value - naive), message).toBeLessThanOrEqual(1e-12 * Math.max(Math.abs(naive), 1e-3))
}
