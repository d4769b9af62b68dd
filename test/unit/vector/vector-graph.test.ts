/**
 * [V2] [V3] [W3] Tests HNSW against the exact index: what the graph proposes, that a rebuilt graph is the same, what
 * it does with removed records, and that the index over it keeps the contract of every index.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { createGraph, type Graph, restoreGraph } from '../../../worker/vector/hnsw/graph.ts'
import { openGraphEnvelope, writeGraphEnvelope } from '../../../worker/vector/hnsw/graph-envelope.ts'
import {
  createGraphIndex,
  deadPoint,
  type GraphIndex,
  searchWidth,
  unit,
} from '../../../worker/vector/hnsw/graph-index.ts'
import { type Hnswlib, openHnswlib } from '../../../worker/vector/hnsw/hnswlib.ts'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { runVectorContract } from '../../contract/vector-contract.ts'
import { bruteForce, emptyIndex, exactCosineOf, fill, plainVector, seeded } from './vector-fixture.ts'

const dimensions = 48
const count = 4_000
const questions = 100

/** Records of one vector each around some centres, like texts of a few subjects; keys from 1. */
function clustered(seed: number, size: number): Map<number, Float32Array[]> {
  const random = seeded(seed)
  const centres = Array.from({ length: 40 }, () => unit(plainVector(random, dimensions)))
  const near = (centre: Float32Array) => {
    const noise = unit(plainVector(random, dimensions))
    return centre.map((component, i) => component + 0.8 * noise[i]!)
  }
  return new Map(Array.from({ length: size }, (_, i) => [i + 1, [near(centres[i % 40]!)]]))
}

const records = clustered(5, count)
const queries = [...clustered(5, count + questions).entries()].slice(count).map(([, [query]]) => query!)

async function graphOf(vectors: Iterable<Float32Array>, capacity = count + 500): Promise<[Graph, Hnswlib]> {
  const library = await openHnswlib()
  const graph = createGraph(library, dimensions, capacity)
  for (const vector of vectors) graph.add(unit(vector))
  return [graph, library]
}

const vectors = [...records.values()].map(([vector]) => vector!)

/** Share of the ten nearest by float64 brute force that are among the proposed. Labels are keys − 1. */
function recallAt10(propose: (query: Float32Array) => readonly number[], alive = records): number {
  let found = 0
  for (const query of queries) {
    const proposed = new Set(propose(query))
    for (const key of bruteForce(query, alive, 10)) if (proposed.has(key)) found++
  }
  return found / (questions * 10)
}

const keysNear = (graph: Graph, width: number) => (query: Float32Array) =>
  graph.nearest(unit(query), width).map((label) => label + 1)

describe('a graph of clustered vectors', () => {
  let graph: Graph
  let library: Hnswlib

  beforeAll(async () => {
    ;[graph, library] = await graphOf(vectors)
  })

  test('[V2] finds at least 98 of 100 of the ten nearest', () => {
    expect(recallAt10(keysNear(graph, searchWidth))).toBeGreaterThanOrEqual(0.98)
  })

  test('[V2] control: with a search width of ten, or along the links of other vectors, it does not', async () => {
    expect(recallAt10(keysNear(graph, 10))).toBeLessThan(0.98)
    const room = restoreGraph({ saved: graph.save(), dimensions, capacity: count, dead: 0 })
    // Each vector is in the place where another one was linked.
    const random = seeded(3)
    const drawn = vectors.map((_, i) => [random(), i] as const).sort(([a], [b]) => a - b)
    drawn.forEach(([, i], label) => room.put(label, unit(vectors[i]!)))
    const wrong = room.open(await openHnswlib())
    const keys = (query: Float32Array) => wrong.nearest(unit(query), searchWidth).map((label) => drawn[label]![1] + 1)
    expect(recallAt10(keys)).toBeLessThan(0.98)
  })

  test('[V3] rebuilt, or saved and restored, it proposes the same', async () => {
    const answers = (of: Graph) => queries.map((query) => of.nearest(unit(query), 64))
    const [again] = await graphOf(vectors)
    expect(answers(again)).toEqual(answers(graph))
    const room = restoreGraph({ saved: graph.save(), dimensions, capacity: count, dead: 0 })
    expect(room.count).toBe(count)
    vectors.forEach((vector, label) => room.put(label, unit(vector)))
    expect(answers(room.open(await openHnswlib()))).toEqual(answers(graph))
  })

  test('[V3] control: built in another order it is another graph', async () => {
    const [other] = await graphOf([...vectors].reverse())
    const answers = (of: Graph, key: (label: number) => number) =>
      queries.map((query) => of.nearest(unit(query), 12).map(key))
    expect(answers(other, (label) => count - 1 - label)).not.toEqual(answers(graph, (label) => label))
  })

  test('[W3] saved, it holds no vector', () => {
    const saved = graph.save()
    expect(holds(saved, unit(vectors[17]!))).toBe(false)
    expect(saved.length).toBeLessThan(count * 160)
  })

  test('[W3] [V2] forgets a fifth: gone from memory and answers, the others found as well as before', async () => {
    const random = seeded(9)
    const alive = new Map([...records].filter(() => random() >= 0.2))
    const removed = [...records.keys()].filter((key) => !alive.has(key))
    const memory = () => new Uint8Array(library.HEAPF32.buffer)
    const probe = unit(vectors[removed[3]! - 1]!)
    expect(holds(memory(), probe)).toBe(true)
    for (const key of removed) graph.remove(key - 1)
    expect(graph.dead()).toBe(removed.length)
    expect(recallAt10(keysNear(graph, searchWidth), alive)).toBeGreaterThanOrEqual(0.98)
    for (const query of queries)
      for (const key of keysNear(graph, searchWidth)(query)) expect(alive.has(key)).toBe(true)
    for (const key of removed.slice(0, 40)) expect(holds(memory(), unit(vectors[key - 1]!))).toBe(false)
    // The remaining records did not move.
    expect(graph.nearest(unit(vectors[[...alive.keys()][50]! - 1]!), 10)[0]).toBe([...alive.keys()][50]! - 1)
  })

  test('labels only rise, and a full graph refuses', async () => {
    const [small] = await graphOf([], 3)
    const add = () => small.add(unit(vectors[0]!))
    expect([add(), add()]).toEqual([0, 1])
    small.remove(1)
    expect(add()).toBe(2)
    expect(add).toThrow()
  })
})

describe('the envelope', () => {
  const origin = { space: 'mine', dimensions: 3, revision: 7 }
  const content = { keys: Uint32Array.of(4, 9, deadPoint), dead: 1, graph: Uint8Array.of(1, 2, 3, 4, 5) }
  const envelope = writeGraphEnvelope(origin, content)

  test('returns the graph that was put in', () => {
    expect(openGraphEnvelope(envelope, origin)).toEqual(content)
  })

  test.each([{ revision: 8 }, { space: 'other' }, { dimensions: 4 }])('is refused when the store has %o', (other) => {
    expect(openGraphEnvelope(envelope, { ...origin, ...other })).toBeNull()
  })

  test('is refused with any byte changed, and cut off anywhere', () => {
    for (let at = 0; at < envelope.length; at++) {
      expect(
        openGraphEnvelope(
          envelope.map((byte, i) => (i === at ? byte ^ 0x10 : byte)),
          origin,
        ),
      ).toBeNull()
      expect(openGraphEnvelope(envelope.subarray(0, at), origin)).toBeNull()
    }
  })
})

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
    const nearest = new Set(exact.scan(query, null, 300).keys)
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

/** Whether bytes hold a vector, or half of it, anywhere. */
function holds(bytes: Uint8Array, vector: Float32Array): boolean {
  const own = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return whole.includes(own.subarray(own.length / 2)) || whole.includes(own.subarray(0, own.length / 2))
}
