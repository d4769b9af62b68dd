/** Tests the error of a prediction, key by key. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Prediction, predictionError } from '../../../src/core/evidence/prediction-error.ts'

const seed = 20240920
const value = fc.oneof(fc.double(), fc.string({ maxLength: 2 }), fc.boolean(), fc.constant(null))
const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), value)

describe('predictionError', () => {
  it.each<[string, Prediction, Prediction, number]>([
    ['numbers above 1 by their share', { x: 10 }, { x: 5 }, 0.5],
    ['numbers below 1 by their difference', { x: 0.2 }, { x: 0.5 }, 0.3],
    ['opposite numbers up to 2', { x: 10 }, { x: -10 }, 2],
    ['bare values', 10, 5, 0.5],
    ['equal texts', { x: 'yes' }, { x: 'yes' }, 0],
    ['different texts', { x: 'yes' }, { x: 'no' }, 1],
    ['a number and a text', { x: 1 }, { x: '1' }, 1],
    ['a key that did not come', { x: 1 }, {}, 1],
    ['a key that was not expected', { x: 1 }, { x: 1, y: 1 }, 0.5],
    ['the mean over keys', { x: 10, y: 'a', z: 0 }, { x: 5, y: 'b', z: 0 }, 0.5],
    ['nothing at all', {}, {}, 0],
  ])('%s', (_, expected, actual, error) => {
    expect(predictionError(expected, actual)).toBeCloseTo(error, 15)
  })

  it('[G1] is finite, symmetric, in [0, 2], and 0 for equal values', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const error = predictionError(a, b)
        expect(error).toBeGreaterThanOrEqual(0)
        expect(error).toBeLessThanOrEqual(2)
        expect(predictionError(b, a)).toBe(error)
        expect(predictionError(a, a)).toBe(0)
      }),
      { seed, numRuns: 2000 },
    )
    expect(predictionError(Number.MAX_VALUE, -Number.MAX_VALUE)).toBe(2)
  })

  it('[D3] does not depend on the order in which keys were written', () => {
    const reversed = (from: Record<string, string | number | boolean | null>) =>
      Object.fromEntries(Object.entries(from).reverse())
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(predictionError(reversed(a), reversed(b))).toBe(predictionError(a, b))
      }),
      { seed, numRuns: 1000 },
    )
  })
})
