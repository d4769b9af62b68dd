/**
 * [V2] [V3] [W3] Tests HNSW against the exact index: what the graph proposes, that a rebuilt graph is the same, and
 * what it does with removed records.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Graph, restoreGraph } from '../../../worker/vector/hnsw/graph.ts'
import { openGraphEnvelope, writeGraphEnvelope } from '../../../worker/vector/hnsw/graph-envelope.ts'
import { deadPoint, searchWidth, unit } from '../../../worker/vector/hnsw/graph-index.ts'
import { type Hnswlib, openHnswlib } from '../../../worker/vector/hnsw/hnswlib.ts'
import { count, dimensions, graphOf, queries, recallAt10, records, vectors } from './clustered-vectors.ts'
import { seeded } from './vector-fixture.ts'

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

/** Whether bytes hold a vector, or half of it, anywhere. */
function holds(bytes: Uint8Array, vector: Float32Array): boolean {
  const own = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return whole.includes(own.subarray(own.length / 2)) || whole.includes(own.subarray(0, own.length / 2))
}
