/** [M2] Checks that a cache keeps what was used recently, and no more than its limits. */
import { describe, expect, test } from 'vitest'
import { createRecentCache } from '../../../worker/store/derived/recent-cache.ts'

const sizeOf = (_: string, value: string) => value.length

describe('a cache of recent entries', () => {
  test('[M2] keeps entries that are used again, and drops those that are not', () => {
    const cache = createRecentCache({ bytes: 1000, entries: 10 }, sizeOf)
    cache.add('used', 'a')
    cache.add('unused', 'b')
    for (let i = 0; i < 30; i++) {
      cache.add(`other ${i}`, 'c')
      expect(cache.get('used')).toBe('a')
    }
    expect(cache.get('unused')).toBeUndefined()
    expect(cache.get('other 29')).toBe('c')
  })

  test('[M2] never has more entries or bytes than its limits', () => {
    for (const limits of [
      { bytes: 1000, entries: 10 },
      { bytes: 100, entries: 1000 },
    ]) {
      const cache = createRecentCache(limits, sizeOf)
      const added: string[] = []
      for (let i = 0; i < 200; i++) {
        const value = 'x'.repeat(1 + ((i * 7) % 20))
        cache.add(`k${i}`, value)
        added.push(value)
        if (i % 3 === 0) cache.get(`k${i >> 1}`)
        expect(cache.bytes()).toBeLessThanOrEqual(limits.bytes)
      }
      const kept = added.filter((_, i) => cache.get(`k${i}`) !== undefined)
      expect(kept.length).toBeLessThanOrEqual(limits.entries)
      expect(kept.length).toBeGreaterThan(3)
    }
  })

  test('[M2] counts the bytes of its entries, wherever they are', () => {
    const cache = createRecentCache({ bytes: 100, entries: 100 }, sizeOf)
    cache.add('a', 'x'.repeat(30))
    cache.add('b', 'x'.repeat(40))
    expect(cache.bytes()).toBe(70)
    expect(cache.get('a')).toHaveLength(30)
    expect(cache.bytes()).toBe(70)
    // The third makes room: 'b' is dropped, because it was not used again.
    cache.add('c', 'x'.repeat(25))
    expect(cache.bytes()).toBe(55)
    expect(cache.get('b')).toBeUndefined()
    cache.clear()
    expect(cache.bytes()).toBe(0)
    expect(cache.get('a')).toBeUndefined()
  })

  test('[M2] counts an entry once that is used again', () => {
    const cache = createRecentCache({ bytes: 100, entries: 100 }, sizeOf)
    cache.add('a', 'x'.repeat(30))
    cache.add('b', 'x'.repeat(20))
    cache.add('c', 'x'.repeat(10))
    expect(cache.get('b')).toHaveLength(20)
    expect(cache.bytes()).toBe(60)
  })

  test('[M2] does not keep an entry of more than half its size', () => {
    const cache = createRecentCache({ bytes: 100, entries: 10 }, sizeOf)
    cache.add('small', 'a')
    cache.add('large', 'x'.repeat(51))
    expect(cache.get('large')).toBeUndefined()
    expect(cache.get('small')).toBe('a')
  })
})
