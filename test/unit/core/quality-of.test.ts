/** Tests the quality of given results: a naive oracle, the edge cases of docs/spec/contexts.md#quality, and refusals. */
import { describe, expect, it } from 'vitest'
import {
  createExistenceFilter,
  cyclicScore,
  decayScore,
  type Hit,
  qualityOf,
  type StoredRecord,
} from '../../../src/core/index.ts'
import { createRandom } from '../../support/data/random.ts'

const day = 86_400_000
const now = 1000 * day

describe('quality of records', () => {
  it('equals the formulas as they are written, on 5,000 cases', () => {
    const random = createRandom(61)
    for (let i = 0; i < 5000; i++) {
      const records = Array.from({ length: 1 + random.below(14) }, (_, n) =>
        record(`r${n}`, {
          importance: random.next() * 2,
          confidence: random.next(),
          updatedAt: now - random.next() * 900 * day,
          writeScore: random.next() < 0.5 ? null : random.next(),
        }),
      )
      const scoreWeights = { decay: random.next(), confidence: random.next(), priority: random.next() }
      const known = ['lake', 'dam'].filter(() => random.next() < 0.5)
      const cues = { place: 'lake', thing: 'dam', ...(random.next() < 0.5 ? { third: 'lake' } : {}) }
      const [maxItems, surfacingThreshold] = [random.below(12), random.next()]
      const filter = { mightExist: (cue: string) => known.includes(cue) }
      const found = qualityOf(records, { cues, scoreWeights, maxItems, surfacingThreshold, filter, now })

      const decayed = records.map(({ importance, confidence, updatedAt }) =>
        decayScore({ importance, confidence, ageDays: (now - updatedAt) / day }),
      )
      const scores = records.map(({ confidence, writeScore }, n) => {
        const priority = writeScore !== null && writeScore >= 0.7 ? writeScore : 0
        return (
          scoreWeights.decay * decayed[n]! + scoreWeights.confidence * confidence + scoreWeights.priority * priority
        )
      })
      const faint = scores.filter((score) => score > 0 && score < surfacingThreshold).length / records.length
      const most = Math.max(maxItems, 1)
      const foks = Object.values(cues).map(
        (cue) => 0.4 * (known.includes(cue) ? 1 : 0) + (0.4 * Math.min(records.length, most)) / most + 0.2 * faint,
      )
      expect(found.fok, `case ${i}`).toBeCloseTo(mean(foks), 12)
      expect(found.avgConfidence).toBeCloseTo(mean(records.map(({ confidence }) => confidence)), 12)
      const spread = Math.sqrt(mean(scores.map((score) => (score - mean(scores)) ** 2))) / mean(scores)
      expect(found.scoreSpread).toBeCloseTo(spread, 9)
      expect(found.stalenessRatio).toBeCloseTo(
        decayed.filter((score) => score < surfacingThreshold).length / records.length,
        12,
      )
      expect(found.scoreDistribution.length).toBe(records.length)
      expect(Object.keys(found.perCue)).toEqual(Object.keys(cues))
    }
  })

  it('of no records is all zeros', () => {
    expect(qualityOf([], { cues: { topic: 'lake' }, scoreWeights: { decay: 1 } })).toEqual({
      fok: 0,
      avgConfidence: 0,
      scoreSpread: 0,
      stalenessRatio: 0,
      scoreDistribution: [],
      perCue: {},
    })
  })

  it('without weights reports no spread, and without cues no familiarity', () => {
    const records = [record('a', { confidence: 0.8 }), record('b', { confidence: 0.4 })]
    expect(qualityOf(records)).toMatchObject({
      fok: 0,
      scoreSpread: 0,
      stalenessRatio: 0,
      scoreDistribution: [],
      perCue: {},
    })
    expect(qualityOf(records).avgConfidence).toBeCloseTo(0.6, 12)
    expect(qualityOf(records, { cues: { topic: 'lake' } }).perCue.topic).toEqual({
      fok: 0.4 * 0.5 + 0.4 * 0.2,
      familiarity: 0.5,
      partialRetrieval: 0.2,
      subthreshold: 0,
    })
  })

  it('only records with pressure or cycles have a cyclic score', () => {
    const aged = { importance: 1, updatedAt: now - 10 * day }
    const daily = { periodSeconds: 86_400, amplitude: 0.5, phaseSeconds: 0 }
    const records = [
      record('pressing', { ...aged, pressureRate: 2 }),
      record('daily', { ...aged, cycles: [daily] }),
      record('plain', aged),
    ]
    const given = { importance: 1, confidence: 0.5, ageDays: 10, nowMs: now, cycles: [] }
    expect(qualityOf(records, { scoreWeights: { cyclic: 1 }, now }).scoreDistribution).toEqual([
      cyclicScore({ ...given, pressureRate: 2 }),
      cyclicScore({ ...given, cycles: [daily] }),
      0,
    ])
  })

  it('spread is 0 where scores cancel out', () => {
    const weights = { decay: 1, confidence: -1 }
    const flat = record('a', { importance: 0, confidence: 0 })
    expect(qualityOf([flat, flat], { scoreWeights: weights }).scoreSpread).toBe(0)
  })

  it('asks a filter for each cue', () => {
    const filter = createExistenceFilter({ capacity: 100, errorRate: 0.01 })
    filter.add('lake')
    const { perCue } = qualityOf([record('a', {})], { cues: { a: 'lake', b: 'dam' }, filter })
    expect([perCue.a?.familiarity, perCue.b?.familiarity]).toEqual([1, 0])
  })

  it('accepts hits in place of their records', () => {
    const records = [record('a', { confidence: 0.9 }), record('b', { importance: 3 })]
    const options = { cues: { topic: 'x' }, scoreWeights: { decay: 0.6, confidence: 0.3 }, now }
    expect(qualityOf(records.map(hit), options)).toEqual(qualityOf(records, options))
  })

  it('computes ages up to the latest record where no time is given', () => {
    const records = [record('a', { updatedAt: now }), record('b', { updatedAt: now - 1500 * day })]
    const options = { scoreWeights: { decay: 1 } }
    expect(qualityOf(records, options)).toEqual(qualityOf(records, { ...options, now }))
    expect(qualityOf(records, options).stalenessRatio).toBe(0.5)
  })

  it('refuses inputs that do not fit together', () => {
    const a = record('a', {})
    const refused = (given: unknown, options: object, field: RegExp) =>
      expect(() => qualityOf(given as StoredRecord[], options)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', field: expect.stringMatching(field) }),
      )
    refused([a, hit(a)], {}, /^records$/)
    refused([hit(a), a], {}, /^records$/)
    refused('a', {}, /^records$/)
    refused([a, { id: 'b' }], {}, /^records\[1\]$/)
    refused([a], { scoreWeights: { relevance: 1 } }, /^scoreWeights\.relevance$/)
    refused([a], { scoreWeights: { decay: Number.NaN } }, /^weights\.decay$/)
    refused([a], { maxItems: -1 }, /^maxItems$/)
    refused([a], { surfacingThreshold: Number.NaN }, /^surfacingThreshold$/)
    refused([a], { cues: { topic: 5 } }, /^cues\.topic$/)
    // Records of another kind are still records.
    expect(qualityOf([a, record('b', { kind: 'decision' })]).avgConfidence).toBe(0.5)
  })
})

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function hit(of: StoredRecord): Hit {
  return { id: of.id, score: 1, record: of, contributions: [] } as unknown as Hit
}

function record(id: string, fields: Partial<StoredRecord>): StoredRecord {
  return {
    id,
    kind: 'note',
    importance: 1,
    confidence: 0.5,
    cycles: [],
    pressureRate: 0,
    writeScore: null,
    createdAt: 0,
    updatedAt: now,
    ...fields,
  } as StoredRecord
}
