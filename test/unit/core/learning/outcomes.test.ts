/** Checks confidence and the table of outcomes against plain formulas. */
import { describe, expect, it } from 'vitest'
import {
  applyOutcome,
  type ConfidenceState,
  type LearnedState,
  nothingLearned,
  type Outcome,
  outcomes,
  updateConfidence,
} from '../../../../src/core/index.ts'
import { confidenceAfterError } from '../../../../src/core/learning/apply-outcome.ts'
import { startingConfidence } from '../../../../src/core/learning/update-confidence.ts'
import { createRandom } from '../../../support/data/random.ts'
import { cases, expectNear } from './expect-near.ts'

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

  it('abandon a record at a confidence of .1, also with an error of rounding, and not above', () => {
    const after = (confidence: number, evidence: number) => {
      const state = { ...learned, confidence: { ...startingConfidence, confidence, evidence } }
      const { state: next } = applyOutcome(state, 'contradicted', { nowMs: 100, hasOpenPrediction: false })
      return [next.confidence.confidence, next.resolvedAt]
    }
    for (let evidence = 0; evidence < 30; evidence++) {
      const [confidence, resolvedAt] = after(0.1, evidence)
      expectNear(confidence!, 0.1, `evidence ${evidence}`)
      expect(resolvedAt).toBe(100)
    }
    // Above .1 by less than a billionth, as sums of many signals are: two thirds are left after the signal of .1.
    expect(after(0.1 + 1.2e-9, 1)[1]).toBe(100)
    expect(after(0.1 + 1.8e-9, 1)[1]).toBe(2)
    // Above .1 by a millionth after the signal of .1.
    expect(after(0.1 + 2e-6, 0)[1]).toBe(2)
  })

  it('take an error of exactly .7 as no surprise, and a larger one as a signal of .2', () => {
    const state = { ...startingConfidence, confidence: 0.5 }
    expect(confidenceAfterError(state, 0.7)).toEqual(state)
    expect(confidenceAfterError(state, 0.7 + 2 ** -52)).toEqual(updateConfidence(state, 0.2))
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
