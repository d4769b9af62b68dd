/**
 * Tests the existence filter: never a false "surely not", false positives at the promised rate, state that survives a
 * copy.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BloomFilter,
  createExistenceFilter,
  importExistenceFilter,
} from '../../../src/core/collections/existence-filter.ts'

const seed = 20240918
const anyText = fc.string({ unit: 'binary', maxLength: 12 })

describe('createExistenceFilter', () => {
  it('has the size of the published one: p = 0.01, capacity 100,000', () => {
    const { bits, hashes } = createExistenceFilter({ capacity: 100_000, errorRate: 0.01 })
    expect({ bits, hashes }).toEqual({ bits: 958_505, hashes: 6 })
  })

  it('starts empty', () => {
    const filter = createExistenceFilter({ capacity: 10, errorRate: 0.01 })
    fc.assert(
      fc.property(anyText, (text) => !filter.mightExist(text)),
      { seed },
    )
  })

  it('[Q3] never says "surely not" of a text that was added, even far beyond its capacity', () => {
    const sizes = fc.record({
      capacity: fc.integer({ min: 1, max: 50 }),
      errorRate: fc.double({ min: 1e-6, max: 0.99, noNaN: true }),
    })
    fc.assert(
      fc.property(sizes, fc.array(anyText, { maxLength: 100 }), (options, texts) => {
        const filter = createExistenceFilter(options)
        for (const text of texts) filter.add(text)
        return texts.every((text) => filter.mightExist(text))
      }),
      { seed, numRuns: 500 },
    )
  })

  const kinds: readonly [string, (n: number) => string][] = [
    ['words', (n) => `memory-${n.toString(36)}`],
    ['numbers', (n) => String(n)],
    [
      'texts that differ in one early character',
      (n) => `${String.fromCharCode(0x100 + (n % 50000))}${n >= 50000 ? 'b' : 'a'} the same long tail`,
    ],
    ['Chinese bigrams', (n) => String.fromCharCode(0x4e00 + (n % 20000), 0x4e00 + Math.floor(n / 20000))],
  ]
  it.each(kinds)('gives false positives at no more than 1.3 times the promised rate: %s', (_, textOf) => {
    for (const [capacity, errorRate] of [
      [20_000, 0.01],
      [1_000, 0.01],
      [5_000, 0.1],
      [20_000, 0.001],
    ] as const) {
      const filter = createExistenceFilter({ capacity, errorRate })
      for (let n = 0; n < capacity; n++) filter.add(textOf(n))
      let alarms = 0
      const probes = 79_000
      for (let n = 0; n < probes; n++) if (filter.mightExist(textOf(capacity + n))) alarms++
      expect(alarms / probes, `capacity ${capacity}, p ${errorRate}`).toBeLessThan(1.3 * errorRate)
    }
  })

  it('refuses impossible sizes', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, 1e15])
      expect(() => createExistenceFilter({ capacity, errorRate: 0.01 })).toThrow(/^`capacity`/)
    for (const errorRate of [0, 1, -1, Number.NaN])
      expect(() => createExistenceFilter({ capacity: 10, errorRate })).toThrow(/^`errorRate`/)
  })
})

describe('exportState and importExistenceFilter', () => {
  it('[D1] set the same bits in every engine', () => {
    const filter = createExistenceFilter({ capacity: 8, errorRate: 0.01 })
    for (const text of ['kubernetes', 'café', '日本', '😀', '\ud800', '']) filter.add(text)
    expect(Buffer.from(filter.exportState().bytes).toString('hex')).toBe('69cc5472119309550006')
  })

  it('answer alike and grow apart', () => {
    const original = filterOf(['a', 'b'])
    const copy = importExistenceFilter(structuredClone(original.exportState()))
    expect(['a', 'b', 'c'].map(copy.mightExist)).toEqual([true, true, false])
    copy.add('c')
    expect([copy.mightExist('c'), original.mightExist('c')]).toEqual([true, false])
    expect([copy.bits, copy.hashes]).toEqual([original.bits, original.hashes])
  })

  it('refuse an inconsistent state', () => {
    const state = filterOf([]).exportState()
    expect(() => importExistenceFilter({ ...state, bytes: state.bytes.slice(1) })).toThrow(/^`bytes`/)
    expect(() => importExistenceFilter({ ...state, capacity: state.capacity + 1 })).toThrow(/^`bytes`/)
    expect(() => importExistenceFilter({ ...state, hashVersion: 2 as 1 })).toThrow(/^`hashVersion`/)
  })
})

function filterOf(texts: readonly string[]): BloomFilter {
  const filter = createExistenceFilter({ capacity: 100, errorRate: 0.001 })
  for (const text of texts) filter.add(text)
  return filter
}
