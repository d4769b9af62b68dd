/** Checks bounds on what neighbours add to scores: exact once their cosines are read, and independent of the order of rows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neighbourhoodOf, withNeighbours } from '../../../src/core/fusion/neighbours.ts'
import type { CandidateTable } from '../../../src/core/model/facts.ts'
import type { NeighbourShares } from '../../../src/core/model/policy.ts'
import { scoreBounds } from '../../../src/core/order/bounds.ts'
import { createRandom } from '../../support/data/random.ts'
import { alike } from './shares.ts'

// A sum that began at 0 is never −0.
const orNothing = (cosine: number) => (Number.isNaN(cosine) ? 0 : 0 + cosine)
const given = (_row: number, cosine: number) => Math.max(0, orNothing(cosine)) ** 2
/**
 * Candidates of a few sessions, with bounds on their cosines; the score is the cosine, and the added share its square.
 */
const tables = fc
  .array(
    fc.record({
      group: fc.integer({ min: 0, max: 3 }),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: Number.NaN }),
      margin: fc.constantFrom(0, 0.001, 0.1, 0.5),
      skips: fc.integer({ min: 1, max: 3 }),
      length: fc.double({ min: 0, max: 400, noNaN: true }),
    }),
    { minLength: 2, maxLength: 40 },
  )
  .map((rows) => {
    const next = [0, 0, 0, 0]
    const place = rows.map(({ group, skips }) => (next[group] = next[group]! + skips))
    const exact = Float64Array.from(rows, ({ cosine }) => cosine)
    return {
      exact,
      candidates: {
        length: rows.length,
        cosineLow: Float64Array.from(rows, ({ cosine, margin }) => cosine - margin),
        cosineHigh: Float64Array.from(rows, ({ cosine, margin }) => cosine + margin),
        sessions: {
          group: Float64Array.from(rows, ({ group }) => group),
          place: Float64Array.from(place),
          length: Float64Array.from(rows, ({ length }) => length),
        },
      } as unknown as CandidateTable,
    }
  })
const weightLists = fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 8 })
const shareLists = fc.record({
  before: weightLists,
  after: weightLists,
  halfLength: fc.constantFrom(undefined, 1, 150),
})

function boundsOf(candidates: CandidateTable, weights: NeighbourShares, open: Int32Array) {
  const own = scoreBounds(candidates, open, (_row, cosine) => orNothing(cosine))
  const near = neighbourhoodOf(weights, candidates, open)
  return near === null ? own : withNeighbours(own, near, candidates, given)
}

describe('bounds on scores that neighbours add to', () => {
  it('[V1] contain the scores of the exact cosines, and equal them once those are read, wherever reading starts', () => {
    fc.assert(
      fc.property(tables, shareLists, fc.array(fc.nat(39), { maxLength: 10 }), (table, weights, shut) => {
        const { candidates, exact } = table
        const open = Int32Array.from({ length: candidates.length }, (_, row) => row).filter(
          (row) => !shut.includes(row),
        )
        const certain = boundsOf({ ...candidates, cosineLow: exact, cosineHigh: exact }, weights, open)
        const read = {
          ...candidates,
          cosineLow: candidates.cosineLow.slice(),
          cosineHigh: candidates.cosineHigh.slice(),
        }
        const bounds = boundsOf(read, weights, open)
        for (const row of open) {
          expect(bounds.low[row]).toBeLessThanOrEqual(certain.low[row]!)
          expect(bounds.high[row]).toBeGreaterThanOrEqual(certain.low[row]!)
          // All rows that a row depends on, and itself: then its score is exact.
          const wanted = [row, ...bounds.dependsOn(row)]
          for (const other of wanted) read.cosineLow[other] = read.cosineHigh[other] = exact[other]!
          bounds.refresh(wanted)
          expect(bounds.low[row]).toBe(certain.low[row])
          expect(bounds.high[row]).toBe(certain.low[row])
        }
        expect(bounds.low).toEqual(certain.low)
      }),
      { seed: 58, numRuns: 400 },
    )
  })

  it('[F1] are the same whatever the order and the numbers of rows and sessions', () => {
    fc.assert(
      fc.property(tables, shareLists, fc.nat(), ({ candidates }, weights, seed) => {
        const order = createRandom(seed).shuffled(Array.from({ length: candidates.length }, (_, row) => row))
        const column = (values: Float64Array) => Float64Array.from(order, (row) => values[row]!)
        const { group, place, length } = candidates.sessions!
        const permuted = {
          ...candidates,
          cosineLow: column(candidates.cosineLow),
          cosineHigh: column(candidates.cosineHigh),
          sessions: {
            group: column(group).map((number) => (number === 0 ? 0 : 9 - number)),
            place: column(place),
            length: column(length),
          },
        }
        const every = Int32Array.from(order.keys())
        const [one, two] = [boundsOf(candidates, weights, every), boundsOf(permuted, weights, every)]
        expect(two.low).toEqual(column(one.low))
        expect(two.high).toEqual(column(one.high))
      }),
      { seed: 59, numRuns: 400 },
    )
  })

  it('control: reading only the row itself leaves its score open', () => {
    const candidates = {
      length: 2,
      cosineLow: Float64Array.of(0.4, 0.4),
      cosineHigh: Float64Array.of(0.5, 0.5),
      sessions: { group: Float64Array.of(1, 1), place: Float64Array.of(0, 1), length: Float64Array.of(1, 1) },
    } as unknown as CandidateTable
    const bounds = boundsOf(candidates, alike([0.5]), Int32Array.of(0, 1))
    candidates.cosineLow[0] = candidates.cosineHigh[0] = 0.45
    bounds.refresh([0])
    expect(bounds.high[0]).toBeGreaterThan(bounds.low[0]!)
    expect(bounds.dependsOn(0)).toEqual([1])
  })
})
