/** Tests the sorting of rows by score: integers are sorted by counting, others by comparison, with the same result. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortByScore, sortStably } from '../../../src/core/order/row-order.ts'

const seed = 31
const integers = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 })
const halves = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
const wide = fc.array(fc.constantFrom(-1, 0, 1, 4095, 4096, 5000, 1e9), { maxLength: 60 })

/** By score, the highest first; equal scores keep their order. */
const expected = (rows: readonly number[], scores: readonly number[]) =>
  rows.toSorted((a, b) => scores[b]! - scores[a]! || rows.indexOf(a) - rows.indexOf(b))

it.each([
  ['small integers', integers, 1],
  ['halves', halves, 0.5],
  ['integers at and beyond the limit of counting', wide, 1],
])('[F3] %s: the highest first, and equal scores keep their order', (_, numbers, factor) => {
  fc.assert(
    fc.property(numbers, fc.infiniteStream(fc.nat()), (made, keys) => {
      const scores = made.map((number) => number * factor)
      // In an order of their own, not 0, 1, 2, ….
      const rows = scores
        .map((_score, row) => ({ row, key: keys.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ row }) => row)
      const sorted = Int32Array.from(rows)
      sortStably(sorted, Float64Array.from(scores))
      expect([...sorted]).toEqual(expected(rows, scores))
    }),
    { seed, numRuns: 300 },
  )
})

it('[F3] equal scores are in descending order of ids', () => {
  const rows = Int32Array.of(0, 1, 2, 3)
  sortByScore(rows, Float64Array.of(1, 2, 1, 1), ['b', 'a', 'c', 'a'])
  expect([...rows]).toEqual([1, 2, 0, 3])
})
