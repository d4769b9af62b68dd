/** Tests reciprocal rank fusion: order of lists, growth with rank, and refusals. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../../src/core/fusion/reciprocal-rank-fusion.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'

const seed = 20240923
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ﬁ', '😀', '__proto__')
const list = fc.array(id, { maxLength: 10 })
const weight = fc.oneof(fc.constantFrom(0, 1, 0.85, 5), fc.double({ min: 0, max: 10, noNaN: true }))
const named = fc.array(fc.tuple(list, weight), { maxLength: 6 })
const offset = fc.constantFrom(0, 50, 60, 0.5)

const nameOf = (i: number) => `list ${i}`
type Given = readonly (readonly [readonly string[], number])[]
const listsOf = (given: Given) => Object.fromEntries(given.map(([ids], i) => [nameOf(i), ids]))
const weightsOf = (given: Given) => Object.fromEntries(given.map(([, factor], i) => [nameOf(i), factor]))

describe('reciprocalRankFusion', () => {
  it('equals the sum over the lists, and orders by score, then id by code points, both descending', () => {
    fc.assert(
      fc.property(named, offset, (given, by) => {
        const fused = reciprocalRankFusion(listsOf(given), { offset: by, weights: weightsOf(given) })
        const sums = new Map<string, number>()
        for (const [ids, factor] of given)
          for (const found of new Set(ids))
            sums.set(found, (sums.get(found) ?? 0) + factor / (by + ids.indexOf(found) + 1))
        expect(new Set(fused.map((hit) => hit.id))).toEqual(new Set(sums.keys()))
        for (const hit of fused) expect(hit.score).toBeCloseTo(sums.get(hit.id)!, 12)
        const sorted = [...fused].sort((a, b) => b.score - a.score || compareCodePoints(b.id, a.id))
        expect(fused).toEqual(sorted)
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('[F1] gives the same bytes whatever the order of the lists', () => {
    fc.assert(
      fc.property(named, offset, (given, by) => {
        const weights = weightsOf(given)
        const turned = Object.fromEntries(Object.entries(listsOf(given)).reverse())
        const one = reciprocalRankFusion(listsOf(given), { offset: by, weights })
        const other = reciprocalRankFusion(turned, { offset: by, weights })
        expect(other).toEqual(one)

        const asArray = (order: Given) =>
          reciprocalRankFusion(
            order.map(([ids]) => ids),
            { offset: by, weights: order.map(([, factor]) => factor) },
          ).map((hit) => [hit.id, hit.score])
        expect(asArray([...given].reverse())).toEqual(asArray(given))
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('[F2] a better rank never lowers a score', () => {
    fc.assert(
      fc.property(named, fc.nat(5), fc.nat(9), (given, which, at) => {
        const ids = given[which]?.[0] ?? []
        const raised = ids[at]
        if (raised === undefined || at === 0) return
        const better = ids.toSpliced(at, 1).toSpliced(at - 1, 0, raised)
        const scoreIn = (lists: Record<string, readonly string[]>) =>
          reciprocalRankFusion(lists, { weights: weightsOf(given) }).find((hit) => hit.id === raised)!.score
        const lists = listsOf(given)
        expect(scoreIn({ ...lists, [nameOf(which)]: better })).toBeGreaterThanOrEqual(scoreIn(lists))
      }),
      { seed, numRuns: 1000 },
    )
  })

  it('counts an id that a list repeats at its best rank, and gives ranks by list', () => {
    expect(reciprocalRankFusion({ text: ['a', 'b', 'a'], vector: ['b'] }, { offset: 1 })).toEqual([
      { id: 'b', score: 1 / 3 + 1 / 2, ranks: { text: 2, vector: 1 } },
      { id: 'a', score: 1 / 2, ranks: { text: 1 } },
    ])
  })

  it('weighs by name or index; an unnamed list weighs 1, and one of weight 0 still adds its ids', () => {
    const hits = reciprocalRankFusion([['a'], ['b']], { offset: 0, weights: [0] })
    expect(hits.map((hit) => [hit.id, hit.score])).toEqual([
      ['b', 1],
      ['a', 0],
    ])
    expect(reciprocalRankFusion({ x: ['a'], y: ['b'] }, { weights: { y: 2 } })[0]?.id).toBe('b')
    expect(reciprocalRankFusion([])).toEqual([])
  })

  it('[E1] refuses malformed offsets, weights and lists', () => {
    const invalid = (field: string) => expect.objectContaining({ code: 'INVALID_ARGUMENT', field })
    for (const by of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => reciprocalRankFusion([['a']], { offset: by })).toThrow(invalid('offset'))
    for (const factor of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => reciprocalRankFusion([['a']], { weights: [factor] })).toThrow(invalid('weights.0'))
    expect(() => reciprocalRankFusion({ x: [] }, { weights: { y: 1 } })).toThrow(invalid('weights.y'))
    expect(() => reciprocalRankFusion({ x: 'ab' as unknown as string[] })).toThrow(invalid('lists.x'))
  })
})
