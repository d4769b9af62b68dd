/** Checks the index over a graph: exact until the graph is built, when it fails, and where the graph would miss records. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createGraph, type Graph } from '../../../worker/vector/hnsw/graph.ts'
import { createGraphIndex, type GraphIndex, searchWidth } from '../../../worker/vector/hnsw/graph-index.ts'
import { openHnswlib } from '../../../worker/vector/hnsw/hnswlib.ts'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { runVectorContract } from '../../contract/vector-contract.ts'
import { count, dimensions, graphOf, queries, recallAt10, records } from './clustered-vectors.ts'
import { emptyIndex, exactCosineOf, fill } from './vector-fixture.ts'

describe('the index over it', () => {
  let graph: Graph
  const exact = emptyIndex(dimensions)
  let failures: unknown[]
  let index: GraphIndex

  beforeAll(async () => {
    ;[graph] = await graphOf([])
    failures = []
    index = createGraphIndex({
      exact,
      vectorsOf: (key, visit) => records.get(key)?.forEach(visit),
      schedule: () => undefined,
      fail: (error) => failures.push(error),
    })
    fill(index, records)
  })

  test('[V1] answers exactly until the last record is in the graph', () => {
    index.begin(graph, new Uint32Array(), Uint32Array.from(records.keys()))
    for (let slices = 0; index.waiting() > 0; slices++) {
      if (slices % 100 === 0) expect(index.scan(queries[0]!, null, 10)).toEqual(exact.scan(queries[0]!, null, 10))
      expect(index.isReady()).toBe(false)
      index.grow(16)
    }
    expect(index.isReady()).toBe(true)
    expect(index.scan(queries[0]!, null, 10).mode).toBe('hnsw')
  })

  test('[V2] finds what the exact index finds, with the same estimates', () => {
    expect(recallAt10((query) => [...index.scan(query, null, 10).keys])).toBeGreaterThanOrEqual(0.98)
    for (const query of queries) {
      const scan = index.scan(query, null, 20)
      const own = exact.estimate(query, scan.keys)
      expect([scan.estimates, scan.margins]).toEqual([own.estimates, own.margins])
      const best = scan.keys[0]!
      expect(Math.abs(scan.estimates[0]! - exactCosineOf(query, records, best))).toBeLessThanOrEqual(scan.margins[0]!)
      expect(scan.matched).toBe(count)
      expect(scan.scanned).toBeLessThanOrEqual(searchWidth)
    }
  })

  test('knows the background of the store from a sample', () => {
    for (const query of queries.slice(0, 10)) {
      const [near, whole] = [index.scan(query, null, 10), exact.scan(query, null, 10)]
      expect(Math.abs(near.mean - whole.mean)).toBeLessThan(0.02)
      expect(Math.abs(near.deviation - whole.deviation)).toBeLessThan(0.02)
    }
  })

  test('[V1] scans on request, for a narrow scope, a deep policy and a query without direction', () => {
    const query = queries[1]!
    const few = Uint32Array.from(records.keys()).filter((key) => key % 3 === 0)
    expect(index.scan(query, few, 10)).toEqual(exact.scan(query, few, 10))
    expect(index.scan(query, null, 10, 'exact')).toEqual(exact.scan(query, null, 10))
    expect(index.scan(query, null, 1_000_000)).toEqual(exact.scan(query, null, 1_000_000))
    const still = new Float32Array(dimensions)
    expect(index.scan(still, null, 10)).toEqual(exact.scan(still, null, 10))
    const longer = new Float32Array(dimensions + 1).fill(1)
    expect(() => index.scan(longer, null, 10)).toThrow(expect.objectContaining({ code: 'DIMENSION_MISMATCH' }))
    expect(index.isReady()).toBe(true)
  })

  test('[Q4] returns no record that an almost complete scope leaves out; scans when most proposals are', () => {
    const query = queries[2]!
    const [first] = index.scan(query, null, 1).keys
    const most = Uint32Array.from(records.keys()).filter((key) => key !== first)
    const scan = index.scan(query, most, 50)
    expect(scan.mode).toBe('hnsw')
    expect([...scan.keys]).not.toContain(first)
    const without = index.scan(query, null, 50, undefined, new Set([first!, 40_000]))
    expect(without).toEqual({ ...scan, matched: count - 1 })
    const nearest = new Set(exact.scan(query, null, 300).keys)
    expect(index.scan(query, null, 10, undefined, nearest)).toEqual(exact.scan(query, null, 10, undefined, nearest))
    const third = new Set([...records.keys()].filter((key) => key % 3 === 0 && !nearest.has(key)))
    expect(index.scan(query, null, 10, undefined, third)).toEqual(exact.scan(query, null, 10, undefined, third))
    const others = Uint32Array.from(records.keys()).filter((key) => !nearest.has(key))
    expect(index.scan(query, others, 10)).toEqual(exact.scan(query, others, 10))
  })

  test('finds pending records at once, under new labels when they change', () => {
    const query = queries[3]!
    const before = graph.count()
    records.set(count + 1, [query])
    index.add(count + 1, [encodeVector(query)])
    expect(index.waiting()).toBe(1)
    expect(index.scan(query, null, 5)).toMatchObject({ mode: 'hnsw' })
    expect(index.scan(query, null, 5).keys[0]).toBe(count + 1)
    index.grow(16)
    expect([index.waiting(), graph.count()]).toEqual([0, before + 1])
    expect(index.scan(query, null, 5).keys[0]).toBe(count + 1)
    index.remove(count + 1)
    expect([...index.scan(query, null, 50).keys]).not.toContain(count + 1)
    records.delete(count + 1)
  })

  test('needs a rebuild when a fifth is deleted, and never returns deleted records', () => {
    const gone = [...records.keys()].filter((key) => key % 4 === 0)
    for (const key of gone) {
      expect(index.needsRebuild()).toBe(graph.dead() > 0.2 * graph.count())
      index.remove(key)
    }
    expect(index.needsRebuild()).toBe(true)
    for (const query of queries) for (const key of index.scan(query, null, 50).keys) expect(key % 4).not.toBe(0)
  })

  test('answers exactly when the graph fails, and reports it', () => {
    graph.close()
    const query = queries[4]!
    expect(index.scan(query, null, 10)).toEqual(exact.scan(query, null, 10))
    expect(failures).toHaveLength(1)
    expect(index.hasGraph()).toBe(false)
  })
})

/** One for each index that the contract opens. */
const libraries = await Promise.all(Array.from({ length: 12 }, openHnswlib))

runVectorContract('hnsw', (size) => {
  const exact = emptyIndex(size)
  const held = new Map<number, Float32Array[]>()
  const index = createGraphIndex({
    exact,
    vectorsOf: (key, visit) => held.get(key)?.forEach(visit),
    schedule: () => undefined,
    fail: (error) => {
      throw error
    },
  })
  index.begin(createGraph(libraries.pop()!, size, 2_000), new Uint32Array(), new Uint32Array())
  const grown = (): GraphIndex => {
    index.grow(Number.MAX_SAFE_INTEGER)
    return index
  }
  return {
    ...index,
    add(key, codes) {
      held.set(key, codes.map(decoded))
      index.add(key, codes)
    },
    scan: (...asked) => grown().scan(...asked),
  }
})

/** The vector that codes represent, close enough for a graph. */
function decoded(code: Uint8Array): Float32Array {
  return Float32Array.from(new Int8Array(code.buffer, code.byteOffset + 8, code.length - 8))
}
