/** Tests the figures of docs/spec/ranking.md#parity-vectors for learned state, each as its source gives it. */
import { describe, expect, it } from 'vitest'
import {
  cyclicScore,
  decayScore,
  predictionError,
  propagate,
  retrievalQuality,
  updateConfidence,
} from '../../src/core/index.ts'
import { startingConfidence } from '../../src/core/learning/update-confidence.ts'

const hour = 3_600_000

describe('decay', () => {
  it.each([
    [1, 0.01, 1.584893],
    [1, 4, 0.870551],
    [1, 30, 0.711686],
    [1, 1024, 0.5],
    [-2, 1, -2],
  ])('of importance %d after %d days is %d', (importance, ageDays, score) => {
    // Five digits: 30^-0.1 is .711685, and the source gives .711686.
    expect(decayScore({ importance, ageDays })).toBeCloseTo(score, 5)
  })

  it.each([
    [0, 0.6182],
    [0.3, 0.6766],
    [0.5, 0.7117],
    [0.9, 0.7728],
  ])('with confidence %d after 30 days is %d', (confidence, score) => {
    expect(decayScore({ importance: 1, ageDays: 30, confidence })).toBeCloseTo(score, 4)
  })
})

describe('cycles', () => {
  const daily = { cycles: [{ periodSeconds: 86400, amplitude: 0.5, phaseSeconds: 0 }] }
  it.each([
    [0, 1.5],
    [6, 1],
    [12, 0.5],
  ])('at %d h the score is %d', (hours, score) => {
    expect(cyclicScore({ importance: 1, ageDays: 1, ...daily, nowMs: hours * hour })).toBeCloseTo(score, 12)
  })
})

describe('confidence', () => {
  const after = (...signals: number[]) =>
    signals.reduce((state, signal) => updateConfidence(state, signal), startingConfidence).confidence

  it('equals its source', () => {
    expect(after(0.9)).toBeCloseTo(0.7, 12)
    expect(after(0.9, 0.9)).toBeCloseTo(0.766667, 6)
    expect(after(0.9, 0.9, 0.9)).toBeCloseTo(0.8, 12)
    for (const signals of [
      [0.9, 0.9, 0.1],
      [0.9, 0.1, 0.9],
      [0.1, 0.9, 0.9],
    ])
      expect(after(...signals)).toBeCloseTo(0.6, 12)
  })

  it('is suppressed as in its source', () => {
    for (const [times, confidence] of [0.4, 0.366667, 0.35, 0.34].entries())
      expect(after(...Array<number>(times + 1).fill(0.3))).toBeCloseTo(confidence, 6)
  })
})

it('links pass on half of themselves', () => {
  const links: [string, string, number][] = [
    ['A', 'B', 0.8],
    ['B', 'C', 0.5],
  ]
  expect([...propagate(links, ['A'])]).toEqual([
    ['B', 0.4],
    ['C', 0.1],
  ])
  expect([...propagate(links, ['A'], { depth: 1 }).keys()]).toEqual(['B'])
})

it('predictions have the same errors as in their source', () => {
  expect(predictionError({ x: 10 }, { x: 5 })).toBe(0.5)
  expect(predictionError({ x: 0.2 }, { x: 0.5 })).toBeCloseTo(0.3, 12)
})

describe('the feeling of knowing', () => {
  const fok = (cues: Record<string, boolean | null>, candidates: number[]) =>
    retrievalQuality({ cues, candidates, selected: [], maxItems: 10, surfacingThreshold: 0.5 }).fok

  it('equals its source', () => {
    expect(fok({ topic: true }, Array<number>(10).fill(0.2))).toBeCloseTo(1, 12)
    expect(fok({ topic: null }, [])).toBeCloseTo(0.2, 12)
    expect(fok({ a: true, b: false }, Array<number>(5).fill(0.9))).toBeCloseTo(0.4, 12)
  })
})
