import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { runVectorContract } from '../../contract/vector-contract.ts'
import { bigIndex, mixedIndex } from './mixed-index.ts'
import { breach, emptyIndex, exactCosineOf, fill, plainRecords, plainVector, seeded } from './vector-fixture.ts'

runVectorContract('exact', emptyIndex)

describe('replace', () => {
  for (const [what, gone] of [
    ['all', 900],
    ['most', 890],
    ['a few', 5],
    ['none', 0],
  ] as const) {
    test(`[Q5] replacing ${what} of the records gives the same index as single removals and additions`, () => {
      const random = seeded(16)
      const stored = plainRecords(random, 900, 16)
      const fresh = [...plainRecords(random, 1300, 16)].map(([key, vectors]) => ({
        key: key + (key % 7 === 0 ? 500 : 1000),
        codes: vectors.map(encodeVector),
      }))
      const [together, single] = [emptyIndex(16), emptyIndex(16)]
      for (const index of [together, single]) fill(index, stored)
      // One key occurs twice, and one key is unknown.
      const removed = [...stored.keys()].slice(0, gone).concat(gone === 0 ? [] : [1, 77_777])
      together.replace(removed, fresh)
      for (const key of removed) single.remove(key)
      for (const { key, codes } of fresh) single.add(key, codes)
      const query = plainVector(random, 16)
      expect(together.rows()).toBe(single.rows())
      expect(together.scan(query, null, 3000)).toEqual(single.scan(query, null, 3000))
      const keys = Uint32Array.from({ length: 2400 }, (_, key) => key)
      expect(together.estimate(query, keys)).toEqual(single.estimate(query, keys))
    })
  }
})

describe('estimates', () => {
  test('[V1] are the same after any scan or change as in a new index', () => {
    const random = seeded(17)
    const records = plainRecords(random, 5000, 16)
    const index = emptyIndex(16)
    fill(index, records)
    const fresh = () => {
      const other = emptyIndex(16)
      fill(other, records)
      return other
    }
    // One key is unknown.
    const keys = Uint32Array.from([4999, 7, 2500, 9999, 1, 4096])
    const [first, second, third] = [plainVector(random, 16), plainVector(random, 16), plainVector(random, 16)]
    const check = (query: Float32Array) =>
      expect(index.estimate(query, keys)).toEqual(fresh().estimate(Float32Array.from(query), keys))
    index.scan(first, null, 5)
    check(first)
    check(second)
    index.scan(third, Uint32Array.of(8, 9), 5)
    check(third)
    index.scan(second, null, 5)
    for (const key of [7, 2500]) {
      const vectors = [plainVector(random, 16)]
      records.delete(key)
      records.set(key + 10_000, vectors)
      index.replace([key], [{ key: key + 10_000, codes: vectors.map(encodeVector) }])
    }
    keys.set([10_007, 12_500], 1)
    check(second)
    index.clear()
    fill(index, records)
    check(second)
    expect(index.estimate(second, keys)).not.toEqual(index.estimate(first, keys))
  })
})

describe('margins', () => {
  const dimensionsTried = [3, 33, 128, 384, 768]

  test('[V1] 20,000 pairs, with extreme ones: |exact − estimate| ≤ margin', () => {
    let pairs = 0
    let worst = -Infinity
    let tightest = Infinity
    for (const dimensions of dimensionsTried) {
      const { records, queries, keys, index } = mixedIndex(31 + dimensions, dimensions, 160)
      for (const query of queries) {
        const { estimates, margins } = index.estimate(query, keys)
        keys.forEach((key, place) => {
          const exact = exactCosineOf(query, records, key)
          worst = Math.max(worst, breach(exact, estimates[place]!, margins[place]!))
          tightest = Math.min(tightest, margins[place]! - Math.abs(exact - estimates[place]!))
          pairs++
        })
      }
    }
    expect(pairs).toBeGreaterThanOrEqual(20_000)
    expect(worst).toBeLessThanOrEqual(0)
    expect(tightest).toBeLessThan(1e-4)
  })

  test('[V1] control: the same check catches a margin a hundred times too small', () => {
    const { records, queries, keys, index } = mixedIndex(32, 384, 160)
    let caught = 0
    for (const query of queries) {
      const { estimates, margins } = index.estimate(query, keys)
      keys.forEach((key, place) => {
        const exact = exactCosineOf(query, records, key)
        if (breach(exact, estimates[place]!, margins[place]! / 100) > 0) caught++
      })
    }
    expect(caught).toBeGreaterThan(100)
  })

  test('[V1] margins of plain vectors are small enough to prove with: below 0.01 at 384 dimensions', () => {
    const random = seeded(33)
    const index = emptyIndex(384)
    fill(index, plainRecords(random, 50, 384))
    expect(Math.max(...index.scan(plainVector(random, 384), null, 50).margins)).toBeLessThan(0.01)
  })
})

describe('background', () => {
  test('[D3] mean and deviation equal a naive BigInt computation, for every order of insertion', () => {
    const { records, index, queries } = bigIndex
    const shuffled = shuffle([...records], seeded(51))
    const other = emptyIndex(40)
    fill(other, new Map(shuffled))
    for (const query of queries) {
      const scan = index.scan(query, null, 100)
      const all = index.scan(query, null, records.size)
      const units = [...all.estimates].map((estimate) => BigInt(estimate * 2 ** 30))
      const sum = units.reduce((total, unit) => total + unit, 0n)
      const spread = units.reduce((total, unit) => total + unit * unit, 0n) * BigInt(units.length) - sum * sum
      expect(scan.mean).toBe(Number(sum) / units.length / 2 ** 30)
      expect(scan.deviation).toBe(Math.sqrt(Number(spread)) / units.length / 2 ** 30)
      expect(other.scan(query, null, 100)).toEqual(scan)
    }
  })

  test('[D3] the whole answer is the same after any history of adds and removals', () => {
    const property = fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 40 }), (seed, depth) => {
      const random = seeded(seed)
      const records = plainRecords(random, 120, 12)
      for (let key = 20; key < 60; key++) records.set(key, [records.get(19)![0]!])
      const straight = emptyIndex(12)
      fill(straight, records)
      const winding = emptyIndex(12)
      fill(winding, plainRecords(random, 160, 12))
      for (let key = 1; key <= 160; key++) if (random() < 0.5) winding.remove(key)
      for (const [key, vectors] of shuffle([...records], random)) winding.add(key, vectors.map(encodeVector))
      for (let key = 121; key <= 160; key++) winding.remove(key)
      const query = plainVector(random, 12)
      expect(winding.scan(query, null, depth)).toEqual(straight.scan(query, null, depth))
      expect(winding.rows()).toBe(straight.rows())
    })
    fc.assert(property, { seed: 52, numRuns: 40 })
  })
})

function shuffle<T>(list: T[], random: () => number): T[] {
  for (let place = list.length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1))
    const kept = list[place] as T
    list[place] = list[other] as T
    list[other] = kept
  }
  return list
}
