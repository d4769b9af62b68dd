/**
 * Tests which records must go, and why: the rules one by one, their order, and a plain oracle for the number per
 * scope.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRetention, planRetention, type RetentionRow } from '../../../src/core/learning/retention.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'

const day = tuning.msPerDay
const now = 1_000 * day
const row = (id: string, changes: Partial<RetentionRow> = {}): RetentionRow => ({
  id,
  scope: null,
  createdAt: now,
  updatedAt: now,
  usedAt: now,
  confidence: 0.5,
  evidence: 0,
  isExempt: false,
  ...changes,
})

describe('rules', () => {
  test('without rules, all records stay', () => {
    expect(planRetention([row('a', { createdAt: -1e15 })], parseRetention({}), now)).toEqual([])
  })

  test('age, idleness, confidence, number, in this order; exempt records stay', () => {
    const config = parseRetention({
      maxAgeDays: 30,
      maxIdleDays: 10,
      minConfidence: 0.3,
      maxRecords: 2,
      exemptTags: ['keep'],
    })
    const old = { createdAt: now - 31 * day }
    const rows = [
      row('old', { ...old, usedAt: now - 11 * day }),
      row('old but kept', { ...old, isExempt: true, updatedAt: 0 }),
      row('at the edge', { createdAt: now - 30 * day, updatedAt: now - 1 }),
      row('idle', { usedAt: now - 11 * day }),
      row('doubted', { confidence: 0.29, evidence: 3 }),
      row('hardly judged', { confidence: 0.29, evidence: 2, updatedAt: now - 2 }),
      row('new'),
    ]
    expect(planRetention(rows, config, now)).toEqual([
      { id: 'at the edge', reason: 'max_records' },
      { id: 'doubted', reason: 'low_confidence' },
      { id: 'hardly judged', reason: 'max_records' },
      { id: 'idle', reason: 'idle' },
      { id: 'old', reason: 'max_age' },
    ])
  })

  test('a future time counts as age 0', () => {
    const rows = [row('a', { createdAt: now + day, usedAt: now + day })]
    expect(planRetention(rows, parseRetention({ maxAgeDays: 0, maxIdleDays: 0 }), now)).toEqual([])
  })

  test('the number per scope equals removing the oldest one by one', () => {
    const rows = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 4 }),
        scope: fc.constantFrom(null, 'a', 'b'),
        updatedAt: fc.integer({ min: 0, max: 5 }),
        isExempt: fc.boolean(),
      }),
      { selector: ({ id }) => id },
    )
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 4 }), (given, maxRecords) => {
        const all = given.map(({ id, ...rest }) => row(id, rest))
        let left = all
        for (;;) {
          const crowded = left.filter(
            ({ scope, isExempt }) => !isExempt && left.filter((other) => other.scope === scope).length > maxRecords,
          )
          if (crowded.length === 0) break
          const [oldest] = crowded.sort((a, b) => a.updatedAt - b.updatedAt || compareCodePoints(a.id, b.id))
          left = left.filter((other) => other !== oldest)
        }
        const gone = planRetention(all, parseRetention({ maxRecords, per: 'project' }), now).map(({ id }) => id)
        expect(gone).toEqual(
          all
            .filter((one) => !left.includes(one))
            .map(({ id }) => id)
            .sort(compareCodePoints),
        )
      }),
      { seed: 11, numRuns: 300 },
    )
  })
})

test.each([
  [{ maxAgeDays: -1 }, 'retention.maxAgeDays'],
  [{ maxRecords: 1.5 }, 'retention.maxRecords'],
  [{ minConfidence: 2 }, 'retention.minConfidence'],
  [{ maxIdleDays: Number.NaN }, 'retention.maxIdleDays'],
  [{ per: 'kind' }, 'retention.per'],
  [{ exemptTags: 'keep' }, 'retention.exemptTags'],
  [{ maxAge: 3 }, 'retention.maxAge'],
  [5, 'retention'],
])('a malformed configuration is refused: %j', (config, field) => {
  expect(() => parseRetention(config as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
})
