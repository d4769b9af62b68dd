import { describe, expect, it } from 'vitest'
import { holdsKey, meet, placesOf } from '../../../src/core/collections/key-set.ts'
import { createRandom } from '../../support/data/random.ts'

/** A set of `size` keys and an ascending list of `length`, both below `most`. */
function drawn(seed: number, size: number, length: number, most: number) {
  const random = createRandom(seed)
  const distinct = (count: number) =>
    Uint32Array.from(new Set(Array.from({ length: count }, () => random.below(most)))).sort()
  const keys = distinct(size)
  // No longer than its largest key needs, like those of the store.
  const bits = new Uint32Array(keys.length === 0 ? 0 : (keys.at(-1)! >>> 5) + 1)
  for (const key of keys) bits[key >>> 5] = bits[key >>> 5]! | (1 << (key & 31))
  return { set: { keys, bits }, list: distinct(length) }
}

const shapes = [
  [0, 50],
  [1, 1],
  [3, 900],
  [40, 40],
  [40, 700],
  [400, 300],
  [700, 10],
] as const

describe('places of a set of keys in an ascending list', () => {
  it.each(shapes)('equal a look-up of each key: %i in %i', (size, length) => {
    for (let seed = 1; seed <= 40; seed++) {
      const { set, list } = drawn(seed, size, length, 1000)
      const expected = Array.from(list.keys()).filter((i) => set.keys.includes(list[i]!))
      const places = new Uint32Array(list.length)
      const count = placesOf(list, set, places)
      expect(Array.from(places.subarray(0, count))).toEqual(expected)
      expect(meet(list, set)).toBe(expected.length > 0)
      expect(Array.from(list.keys()).filter((i) => holdsKey(set, list[i]!))).toEqual(expected)
    }
  })
})
