/**
 * Tests the contract of every vector index, exact or not: estimates within their margins, the keys in scope respected, removal
 * at once. Completeness is a promise of the exact index alone and is tested with it.
 */

import { describe, expect, test } from 'vitest'
import type { VectorIndex } from '../../worker/vector/port.ts'
import { encodeVector } from '../../worker/vector/quantise.ts'
import { breach, exactCosineOf, fill, plainRecords, plainVector, seeded } from '../unit/vector/vector-fixture.ts'

/** Runs the contract against new indexes made by `create`. */
export function runVectorContract(name: string, create: (dimensions: number) => VectorIndex): void {
  describe(`vector contract: ${name}`, () => {
    test('[V1] an empty index finds nothing and throws nothing', () => {
      const index = create(8)
      const query = new Float32Array(8).fill(1)
      expect(index.rows()).toBe(0)
      for (const scopeKeys of [null, Uint32Array.of(), Uint32Array.of(3)]) {
        const scan = index.scan(query, scopeKeys, 10)
        expect([...scan.keys, ...scan.tied]).toEqual([])
        expect(scan).toMatchObject({ matched: 0, ceiling: -Infinity, tiedEstimate: -Infinity, mean: 0, deviation: 0 })
      }
      expect([...index.estimate(query, Uint32Array.of(1, 2)).estimates]).toEqual([Number.NaN, Number.NaN])
      index.remove(7)
      expect(index.has(7)).toBe(false)
    })

    test('[V1] estimates lie within their margins, absent records are NaN', () => {
      const { records, index, query } = filled(create, 11, 200, 24)
      const keys = Uint32Array.of(5, 999, 5, 5, 200, 1, 17)
      const { estimates, margins } = index.estimate(query, keys)
      keys.forEach((key, place) => {
        const estimate = estimates[place]!
        if (!records.has(key)) expect(estimate).toBeNaN()
        else expect(breach(exactCosineOf(query, records, key), estimate, margins[place]!)).toBeLessThanOrEqual(0)
      })
    })

    test('[D3] a scan is ordered by estimate descending, then key ascending, and agrees with estimate()', () => {
      const { index, query } = filled(create, 12, 300, 16)
      const scan = index.scan(query, null, 50)
      const order = [...scan.keys].map((key, place) => ({ key, estimate: scan.estimates[place]! }))
      expect(order).toEqual([...order].sort((a, b) => b.estimate - a.estimate || a.key - b.key))
      expect(scan.keys.length).toBeLessThanOrEqual(50)
      const again = index.estimate(query, scan.keys)
      expect(again.estimates).toEqual(scan.estimates)
      expect(again.margins).toEqual(scan.margins)
    })

    test('[Q4] the keys in scope restrict before any cut', () => {
      const { index, query } = filled(create, 13, 300, 16)
      const scopeKeys = Uint32Array.of(4, 77, 150, 151, 299, 4_000)
      const scan = index.scan(query, scopeKeys, 10)
      expect([...scan.keys, ...scan.tied].sort((a, b) => a - b)).toEqual([4, 77, 150, 151, 299])
      expect(scan.matched).toBe(5)
    })

    test('[Q4] records that a scan leaves out take no place and no part in its statistics', () => {
      const { records, index, query } = filled(create, 16, 400, 16)
      const [nearest] = index.scan(query, null, 1).keys
      const except = new Set([nearest!, 3, 77, 78, 4_000])
      const wide = Uint32Array.from(records.keys())
      for (const scopeKeys of [null, wide, wide.filter((key) => key % 7 === 0)]) {
        const scope = (scopeKeys ?? wide).filter((key) => !except.has(key))
        const scan = index.scan(query, scopeKeys, 30, 'exact', except)
        expect(scan).toEqual(index.scan(query, scope, 30, 'exact'))
        expect([...index.scan(query, scopeKeys, 30, undefined, except).keys].filter((key) => except.has(key))).toEqual(
          [],
        )
        // They keep their estimates.
        const asked = Uint32Array.of(nearest!, 3, 5, 4_000)
        const again = create(16)
        fill(again, records)
        expect(index.estimate(query, asked)).toEqual(again.estimate(query, asked))
      }
    })

    test('[W3] a removed record is gone at once, and can be added again', () => {
      const random = seeded(14)
      const records = plainRecords(random, 60, 16)
      const index = create(16)
      fill(index, records)
      const query = records.get(30)![0]!
      expect(index.scan(query, null, 3).keys[0]).toBe(30)
      const rows = index.rows()
      index.remove(30)
      expect(index.has(30)).toBe(false)
      expect(index.rows()).toBeLessThan(rows)
      expect([...index.scan(query, null, 60).keys]).not.toContain(30)
      expect(index.estimate(query, Uint32Array.of(30)).estimates[0]).toBeNaN()
      index.add(30, [encodeVector(query)])
      expect(index.scan(query, null, 3).keys[0]).toBe(30)
    })

    test('[W3] clear drops everything', () => {
      const random = seeded(15)
      const index = create(16)
      fill(index, plainRecords(random, 40, 16))
      index.clear()
      expect(index.rows()).toBe(0)
      expect(index.has(1)).toBe(false)
      expect(index.scan(plainVector(random, 16), null, 10).matched).toBe(0)
    })

    test('[V4] vectors of another length are refused', () => {
      const index = create(16)
      const wrong = new Float32Array(17).fill(1)
      expect(() => index.add(1, [encodeVector(wrong)])).toThrow(expect.objectContaining({ code: 'DIMENSION_MISMATCH' }))
      expect(() => index.scan(wrong, null, 1)).toThrow(expect.objectContaining({ code: 'DIMENSION_MISMATCH' }))
      expect(index.rows()).toBe(0)
    })
  })
}

/** An index of random records, and a query. */
function filled(create: (dimensions: number) => VectorIndex, seed: number, count: number, dimensions: number) {
  const random = seeded(seed)
  const records = plainRecords(random, count, dimensions)
  const index = create(dimensions)
  fill(index, records)
  return { records, index, query: plainVector(random, dimensions) }
}
