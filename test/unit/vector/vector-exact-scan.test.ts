/** Checks scans of the exact index: candidates, ties and ceilings against brute force in float64. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadKernel } from '../../../worker/kernel/load-kernel.ts'
import { createExactIndex } from '../../../worker/vector/exact/exact.ts'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { bigIndex, mixedIndex } from './mixed-index.ts'
import {
  bestLeftOut,
  breach,
  bruteForce,
  emptyIndex,
  exactCosineOf,
  fill,
  plainRecords,
  plainVector,
  rescored,
  seeded,
} from './vector-fixture.ts'

describe('scan', () => {
  test('[V1] rescored candidates equal float64 brute force, and no other record is above the ceiling', () => {
    const property = fc.property(
      fc.nat(1e9),
      fc.constantFrom(3, 33, 96),
      fc.integer({ min: 1, max: 60 }),
      (seed, dimensions, depth) => {
        const { records, queries, index } = mixedIndex(seed, dimensions, 150)
        for (const query of queries.slice(0, 4)) {
          const scan = index.scan(query, null, depth)
          const ceiling = scan.ceiling
          expect(bestLeftOut(scan, query, records)).toBeLessThanOrEqual(ceiling)
          const truth = bruteForce(query, records, depth)
          const found = rescored(scan, query, records, depth)
          const proven = truth.filter((key) => exactCosineOf(query, records, key) > ceiling).length
          expect(found.slice(0, proven)).toEqual(truth.slice(0, proven))
          if (ceiling === -Infinity && scan.keys.length === records.size) expect(found).toEqual(truth)
        }
      },
    )
    fc.assert(property, { seed: 41, numRuns: 60 })
  })

  test('[V1] the proof is strong: with 1,000 candidates of 6,000 the ten best are proven', () => {
    const random = seeded(42)
    const records = plainRecords(random, 6_000, 64)
    const index = emptyIndex(64)
    fill(index, records)
    for (let turn = 0; turn < 5; turn++) {
      const query = plainVector(random, 64)
      const scan = index.scan(query, null, 1_000)
      const truth = bruteForce(query, records, 10)
      expect(exactCosineOf(query, records, truth[9]!)).toBeGreaterThan(scan.ceiling)
      expect(rescored(scan, query, records, 10)).toEqual(truth)
      expect(bestLeftOut(scan, query, records)).toBeLessThanOrEqual(scan.ceiling)
    }
  })

  test.each([0.001, 0.01, 0.1, 0.5])('[Q4] a scope of a share of %f gives exactly its keys', (share) => {
    const random = seeded(43)
    const { records, index, queries } = bigIndex
    const scopeKeys = Uint32Array.from([...records.keys()].filter(() => random() < share))
    const chosen = new Map([...records].filter(([key]) => scopeKeys.includes(key)))
    for (const query of queries) {
      const all = index.scan(query, scopeKeys, records.size)
      expect([...all.keys].sort((a, b) => a - b)).toEqual([...scopeKeys])
      const cut = index.scan(query, scopeKeys, 5)
      expect(rescored(cut, query, records, 1)).toEqual(bruteForce(query, chosen, 1))
      expect(bestLeftOut(cut, query, chosen)).toBeLessThanOrEqual(cut.ceiling)
      expect(cut.scanned).toBe([...chosen.values()].flat().length)
    }
  })

  test('[D3] gathering and the bitmap give the same numbers', () => {
    const { records, index, queries } = bigIndex
    const scopeKeys = Uint32Array.from([...records.keys()].filter((key) => key % 2 === 0))
    const sparse = createExactIndex(loadKernel(), 40)
    fill(sparse, records)
    // A huge key makes the bitmap too large, so that the same keys are gathered.
    sparse.add(4_000_000_000, [encodeVector(new Float32Array(40).fill(1))])
    for (const query of queries) {
      for (const depth of [1, 10, 500, 9_999]) {
        expect(sparse.scan(query, scopeKeys, depth)).toEqual(index.scan(query, scopeKeys, depth))
        const except = new Set([...scopeKeys.subarray(0, 9), 4_000_000_000])
        const scanned = sparse.scan(query, null, depth, 'exact', except)
        expect(scanned).toEqual(index.scan(query, null, depth, 'exact', except))
      }
    }
  })

  test('[D3] they do so after records were removed', () => {
    const random = seeded(45)
    const records = new Map(Array.from({ length: 900 }, (_, i) => [i + 1, [plainVector(random, 8)]]))
    const [dense, sparse] = [emptyIndex(8), emptyIndex(8)]
    for (const index of [dense, sparse]) fill(index, records)
    sparse.add(4_000_000_000, [encodeVector(new Float32Array(8).fill(1))])
    for (let key = 1; key < 500; key += 2) for (const index of [dense, sparse]) index.remove(key)
    const query = plainVector(random, 8)
    const except = new Set([4_000_000_000, 2, 900])
    expect(sparse.scan(query, null, 900, 'exact', except)).toEqual(dense.scan(query, null, 900, 'exact', except))
  })

  test('[D3] 500 identical vectors all tie, whatever the depth, and the ceiling covers the rest', () => {
    const random = seeded(44)
    const records = plainRecords(random, 900, 33)
    const twin = plainVector(random, 33)
    for (let key = 100; key < 600; key++) records.set(key, [twin])
    const index = emptyIndex(33)
    fill(index, records)
    const tied = Uint32Array.from({ length: 500 }, (_, place) => 100 + place)
    for (const depth of [1, 7, 499]) {
      const scan = index.scan(twin, null, depth)
      expect(scan.keys).toEqual(new Uint32Array())
      expect(scan.tied).toEqual(tied)
      expect(breach(1, scan.tiedEstimate, scan.tiedMargin)).toBeLessThanOrEqual(0)
      expect(scan.ceiling).toBeLessThan(1)
      expect(bestLeftOut(scan, twin, records)).toBeLessThanOrEqual(scan.ceiling)
    }
    const near = index.scan(twin, null, 500)
    expect(near.tied).toEqual(tied)
    const wide = index.scan(twin, null, 700)
    expect(wide.keys.slice(0, 500)).toEqual(tied)
    expect(wide.keys.length + wide.tied.length).toBe(700)
  })

  test('[V1] zero vectors and a zero query: estimates are 0, everything ties', () => {
    const index = emptyIndex(5)
    for (let key = 1; key <= 9; key++) index.add(key, [encodeVector(new Float32Array(5).fill(key % 3))])
    const scan = index.scan(new Float32Array(5), null, 4)
    expect([...scan.tied]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(scan).toMatchObject({ tiedEstimate: 0, ceiling: -Infinity, mean: 0, deviation: 0 })
    const ones = index.estimate(new Float32Array(5).fill(1), Uint32Array.of(3))
    expect(ones.estimates[0]).toBe(0)
  })

  test('[V1] a record is as good as its best chunk, also across the end of a block', () => {
    const random = seeded(45)
    const index = emptyIndex(8)
    const chunks = Array.from({ length: 9_000 }, () => plainVector(random, 8))
    index.add(1, [encodeVector(plainVector(random, 8))])
    index.add(2, chunks.map(encodeVector))
    index.add(3, [encodeVector(plainVector(random, 8))])
    const query = chunks[8_500]!
    const scan = index.scan(query, null, 3)
    expect(scan).toMatchObject({ matched: 3, scanned: 9_002 })
    expect(scan.keys[0]).toBe(2)
    expect(breach(1, scan.estimates[0]!, scan.margins[0]!)).toBeLessThanOrEqual(0)
    expect(index.estimate(query, Uint32Array.of(2)).estimates[0]).toBe(scan.estimates[0])
    expect(index.scan(query, Uint32Array.of(2), 3).scanned).toBe(9_000)
  })
})
