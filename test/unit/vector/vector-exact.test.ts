import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadKernel } from '../../../worker/kernel/load-kernel.ts'
import { createExactIndex } from '../../../worker/vector/exact/exact.ts'
import { encodeVector, pieceBytes } from '../../../worker/vector/quantise.ts'
import { runVectorContract } from '../../contract/vector-contract.ts'
import {
  bestLeftOut,
  breach,
  bruteForce,
  emptyIndex,
  exactCosineOf,
  fill,
  nastyVectors,
  type Pieces,
  plainRecords,
  plainVector,
  rescored,
  seeded,
} from './vector-fixture.ts'

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

describe('margins', () => {
  const dimensionsTried = [3, 33, 128, 384, 768]

  test('[V1] 20,000 pairs, with extreme ones: |exact − estimate| ≤ margin', { timeout: 30_000 }, () => {
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

  test.each([0.001, 0.01, 0.1, 0.5])('[Q4] members of a share of %f give exactly the members', (share) => {
    const random = seeded(43)
    const { records, index, queries } = bigIndex
    const members = Uint32Array.from([...records.keys()].filter(() => random() < share))
    const chosen = new Map([...records].filter(([key]) => members.includes(key)))
    for (const query of queries) {
      const all = index.scan(query, members, records.size)
      expect([...all.keys].sort((a, b) => a - b)).toEqual([...members])
      const cut = index.scan(query, members, 5)
      expect(rescored(cut, query, records, 1)).toEqual(bruteForce(query, chosen, 1))
      expect(bestLeftOut(cut, query, chosen)).toBeLessThanOrEqual(cut.ceiling)
      expect(cut.scanned).toBe([...chosen.values()].flat().length)
    }
  })

  test('[D3] gathering and the bitmap give the same numbers', () => {
    const { records, index, queries } = bigIndex
    const members = Uint32Array.from([...records.keys()].filter((key) => key % 2 === 0))
    const sparse = createExactIndex(loadKernel(), 40)
    fill(sparse, records)
    // A huge key makes the bitmap too large, so that the same members are gathered.
    sparse.add(4_000_000_000, [encodeVector(new Float32Array(40).fill(1))])
    for (const query of queries) {
      for (const depth of [1, 10, 500, 9_999])
        expect(sparse.scan(query, members, depth)).toEqual(index.scan(query, members, depth))
    }
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
    const pieces = Array.from({ length: 9_000 }, () => plainVector(random, 8))
    index.add(1, [encodeVector(plainVector(random, 8))])
    index.add(2, pieces.map(encodeVector))
    index.add(3, [encodeVector(plainVector(random, 8))])
    const query = pieces[8_500]!
    const scan = index.scan(query, null, 3)
    expect(scan).toMatchObject({ matched: 3, scanned: 9_002 })
    expect(scan.keys[0]).toBe(2)
    expect(breach(1, scan.estimates[0]!, scan.margins[0]!)).toBeLessThanOrEqual(0)
    expect(index.estimate(query, Uint32Array.of(2)).estimates[0]).toBe(scan.estimates[0])
    expect(index.scan(query, Uint32Array.of(2), 3).scanned).toBe(9_000)
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

describe('rows', () => {
  test('[W3] nothing of a removed vector stays in kernel memory', () => {
    const random = seeded(61)
    const kernel = loadKernel()
    const index = createExactIndex(kernel, 64)
    const records = plainRecords(random, 50, 64)
    fill(index, records)
    const secret = encodeVector(plainVector(random, 64))
    index.add(51, [secret])
    expect(holds(kernel.bytes(), secret.subarray(8))).toBe(true)
    index.remove(51)
    expect(holds(kernel.bytes(), secret.subarray(8))).toBe(false)
  })

  test('[V3] growth over many blocks and compaction lose nothing and make memory reusable', () => {
    const random = seeded(62)
    const records = plainRecords(random, 11_000, 32)
    const kernel = loadKernel()
    const index = createExactIndex(kernel, 32)
    fill(index, records)
    const bytes = index.bytes()
    for (const key of [...records.keys()].filter((key) => key % 3 !== 0)) {
      index.remove(key)
      records.delete(key)
    }
    const fresh = emptyIndex(32)
    fill(fresh, records)
    const query = plainVector(random, 32)
    const members = Uint32Array.from([...records.keys()].filter((key) => key % 6 === 0))
    for (const scope of [null, members, members.subarray(0, 9)]) {
      expect(index.scan(query, scope, 1_000)).toEqual(fresh.scan(query, scope, 1_000))
    }
    expect(index.rows()).toBe(fresh.rows())
    for (let key = 20_001; key < 24_000; key++) index.add(key, [encodeVector(plainVector(random, 32))])
    expect(index.bytes()).toBeLessThanOrEqual(bytes + 300_000)
  })

  test('[V3] packed rows equal rows added one by one, and replace the rows they name', () => {
    const random = seeded(63)
    const records = plainRecords(random, 700, 100)
    const single = emptyIndex(100)
    fill(single, records)
    const packed = emptyIndex(100)
    packed.add(5, [encodeVector(plainVector(random, 100))])
    const { keys, bytes } = pack(records, 100)
    packed.addPacked(keys, bytes)
    const query = plainVector(random, 100)
    expect(packed.scan(query, null, 200)).toEqual(single.scan(query, null, 200))
    expect(packed.rows()).toBe(single.rows())
  })

  test('[V4] damaged or misfit bytes and wrong keys are refused before anything changes', () => {
    const index = emptyIndex(6)
    const piece = encodeVector(Float32Array.of(1, 2, 3, 4, 5, 6))
    const withFloat = (offset: number, value: number) => {
      const copy = piece.slice()
      new DataView(copy.buffer).setFloat32(offset, value, true)
      return copy
    }
    for (const bad of [
      withFloat(0, Number.NaN),
      withFloat(0, -1),
      withFloat(0, 5),
      withFloat(4, Infinity),
      withFloat(4, -0.1),
    ]) {
      expect(() => index.add(1, [piece, bad])).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
    }
    expect(() => index.addPacked(Uint32Array.of(1), piece.subarray(1))).toThrow(
      expect.objectContaining({ code: 'DIMENSION_MISMATCH' }),
    )
    for (const keys of [Uint32Array.of(2, 1), Uint32Array.of(1, 0xffffffff)]) {
      expect(() => index.addPacked(keys, new Uint8Array(2 * pieceBytes(6)))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      )
    }
    for (const dimensions of [0, 4_097, 1.5]) {
      expect(() => createExactIndex(loadKernel(), dimensions)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      )
    }
    expect(index.rows()).toBe(0)
  })
})

/** Two blocks and a few more records, some with several chunks. */
const bigIndex = (() => {
  const random = seeded(46)
  const records = plainRecords(random, 9_000, 40)
  const index = emptyIndex(40)
  fill(index, records)
  return { records, index, queries: [plainVector(random, 40), plainVector(random, 40)] }
})()

/** Records and queries of which some are extreme and some duplicated. */
function mixedIndex(seed: number, dimensions: number, count: number) {
  const random = seeded(seed)
  const records: Map<number, Float32Array[]> = plainRecords(random, count, dimensions)
  const queries = [
    ...Array.from({ length: 16 }, () => plainVector(random, dimensions)),
    ...nastyVectors(random, dimensions),
  ]
  for (const vector of nastyVectors(random, dimensions)) records.set(records.size + 1, [vector])
  for (const vector of queries) records.set(records.size + 1, [plainVector(random, dimensions), vector])
  for (let key = 1; key <= 5; key++) records.set(records.size + 1, records.get(key)!)
  const index = emptyIndex(dimensions)
  fill(index, records)
  return { records, queries, index, keys: Uint32Array.from(records.keys()) }
}

function pack(records: Pieces, dimensions: number): { keys: Uint32Array; bytes: Uint8Array } {
  const rows = [...records].flatMap(([key, vectors]) => vectors.map((vector) => ({ key, piece: encodeVector(vector) })))
  const bytes = new Uint8Array(rows.length * pieceBytes(dimensions))
  rows.forEach(({ piece }, place) => bytes.set(piece, place * pieceBytes(dimensions)))
  return { keys: Uint32Array.from(rows, ({ key }) => key), bytes }
}

function shuffle<T>(list: T[], random: () => number): T[] {
  for (let place = list.length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1))
    const kept = list[place] as T
    list[place] = list[other] as T
    list[other] = kept
  }
  return list
}

function holds(memory: Uint8Array, part: Uint8Array): boolean {
  return Buffer.from(memory.buffer).includes(Buffer.from(part))
}
