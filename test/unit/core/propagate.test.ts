/** Tests propagation over co-occurrence links: Popoto's figures, and a naive walk over every path as the oracle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CoOccurrenceEdge, type PropagateOptions, propagate } from '../../../src/core/collections/propagate.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'

const seed = 20240919
const chain: CoOccurrenceEdge[] = [
  ['A', 'B', 0.8],
  ['B', 'C', 0.5],
]

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'ﬁ', '😀')
const weight = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1, 2, -1))
const edges = fc.array(fc.tuple(id, id, weight), { maxLength: 14 })
const seeds = fc.array(id, { maxLength: 3 })
const options = fc.record({
  depth: fc.integer({ min: 0, max: 4 }),
  decayPerHop: fc.constantFrom(0.3, 0.5, 1),
  threshold: fc.constantFrom(0, 0.01, 0.1),
})

describe('propagate', () => {
  it('gives the figures of its source', () => {
    expect([...propagate(chain, ['A'])]).toEqual([
      ['B', 0.4],
      ['C', 0.1],
    ])
    expect([...propagate(chain, ['A'], { depth: 1 })]).toEqual([['B', 0.4]])
    expect([...propagate(chain, ['A'], { threshold: 0.2 })]).toEqual([['B', 0.4]])
    expect([...propagate(chain, ['A'], { decayPerHop: 0.25 })]).toEqual([
      ['B', 0.2],
      ['C', 0.025],
    ])
  })

  it('keeps a value exactly at the threshold, and drops the next lower number', () => {
    expect([...propagate([['A', 'B', 0.02]], ['A'])]).toEqual([['B', 0.01]])
    expect([...propagate([['A', 'B', 0.02 - 2 ** -58]], ['A'])]).toEqual([])
    expect([...propagate(chain, ['A'], { threshold: 0.4 })]).toEqual([['B', 0.4]])
  })

  it('follows links both ways and leaves seeds out', () => {
    expect([...propagate(chain, ['C'])]).toEqual([
      ['B', 0.25],
      ['A', 0.1],
    ])
    expect([...propagate(chain, ['A', 'B'])]).toEqual([['C', 0.25]])
    expect(propagate(chain, ['A'], { depth: 0 }).size).toBe(0)
    expect(propagate(chain, ['unknown']).size).toBe(0)
    expect(propagate([], ['A']).size).toBe(0)
  })

  it('equals the best of all walks on random graphs', () => {
    fc.assert(
      fc.property(edges, seeds, options, (links, from, limits) => {
        const found = [...propagate(links, from, limits)].sort(byId)
        expect(found).toEqual([...bestOfAllWalks(links, from, limits)].sort(byId))
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('[F3] iterates by score, then id by code points, both descending', () => {
    const equal: CoOccurrenceEdge[] = ['b', 'ﬁ', '😀', 'a'].map((other) => ['seed', other, 0.5])
    expect([...propagate([...equal, ['seed', 'best', 1]], ['seed']).keys()]).toEqual(['best', '😀', 'ﬁ', 'b', 'a'])
  })

  it('[D3] does not depend on the order of edges, of their ends, or of seeds', () => {
    fc.assert(
      fc.property(edges, seeds, options, (links, from, limits) => {
        const turned = links.map(([a, b, w]): CoOccurrenceEdge => [b, a, w]).reverse()
        expect([...propagate(turned, [...from].reverse(), limits)]).toEqual([...propagate(links, from, limits)])
      }),
      { seed, numRuns: 500 },
    )
  })

  it('ends on a circle without decay or threshold, however deep', () => {
    const circle: CoOccurrenceEdge[] = [
      ['a', 'b', 1],
      ['b', 'c', 1],
      ['c', 'a', 1],
    ]
    expect([...propagate(circle, ['a'], { depth: 1e9, decayPerHop: 1, threshold: 0 })]).toEqual([
      ['c', 1],
      ['b', 1],
    ])
  })

  it('refuses options out of range', () => {
    for (const depth of [-1, 0.5, Number.NaN]) expect(() => propagate(chain, ['A'], { depth })).toThrow(/^`depth`/)
    for (const decayPerHop of [0, 1.5, Number.NaN])
      expect(() => propagate(chain, ['A'], { decayPerHop })).toThrow(/^`decayPerHop`/)
    for (const threshold of [-1, Number.NaN])
      expect(() => propagate(chain, ['A'], { threshold })).toThrow(/^`threshold`/)
  })
})

function bestOfAllWalks(
  links: readonly CoOccurrenceEdge[],
  from: readonly string[],
  limits: Required<PropagateOptions>,
): Map<string, number> {
  const best = new Map<string, number>()
  const walk = (at: string, score: number, hopsLeft: number): void => {
    if (hopsLeft === 0) return
    for (const [a, b, w] of links)
      for (const next of [a === at ? b : undefined, b === at ? a : undefined]) {
        const passedOn = score * limits.decayPerHop * Math.min(w, 1)
        if (next === undefined || w <= 0 || passedOn <= 0 || passedOn < limits.threshold) continue
        best.set(next, Math.max(best.get(next) ?? 0, passedOn))
        walk(next, passedOn, hopsLeft - 1)
      }
  }
  for (const start of from) walk(start, 1, limits.depth)
  for (const start of from) best.delete(start)
  return best
}

function byId(a: [string, number], b: [string, number]): number {
  return compareCodePoints(a[0], b[0])
}
