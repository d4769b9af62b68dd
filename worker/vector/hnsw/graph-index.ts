/**
 * The HNSW index: an exact index, and a graph that proposes candidates when the scope is wide. The exact index computes
 * all estimates and margins, so a record has the same cosine in both; only which records are compared differs.
 * Records that are not in the graph yet are scanned. While the graph is being built, all records are.
 */

import { noKeys, type VectorIndex, type VectorScan } from '../port.ts'
import { bestOf, includes, restrict, spreadOf } from './best-estimates.ts'
import type { Graph } from './graph.ts'

/** Candidates per search (hnswlib's ef): recall@10 ≥ 0.999 on 36,732 MiniLM vectors of sentences; 64 reaches 0.990. */
export const searchWidth = 256

export interface GraphIndex extends VectorIndex {
  /** Whether the graph is used for queries with a wide scope. */
  isReady(): boolean
  /** Whether there is a graph, complete or not. */
  hasGraph(): boolean
  /** Number of records that are not in the graph yet. */
  waiting(): number
  /** Whether the graph must be rebuilt: too many of its points are dead, or it is full. */
  needsRebuild(): boolean
  /** Starts with `graph`. `keys`: the record of each point, or `deadPoint`. `order`: all records that the graph must get. */
  begin(graph: Graph, keys: Uint32Array, order: Uint32Array): void
  /** Adds waiting records until the graph has `points` more points or no record waits. */
  grow(points: number): void
  /** Drops the graph. All answers are exact from then on. */
  drop(): void
  /** The graph and the key of each point, for saving; null while a record waits. */
  snapshot(): { readonly graph: Graph; readonly keys: Uint32Array } | null
}

export interface GraphIndexHost {
  readonly exact: VectorIndex
  /** Visits the stored float32 chunks of a record. */
  vectorsOf(key: number, visit: (vector: Float32Array) => void): void
  /** Called after each write: the graph may have to follow. */
  schedule(): void
  /** Called after the graph failed and was dropped. */
  fail(error: unknown): void
}

/** The key of a point that belongs to no record. */
export const deadPoint = 0xffffffff

export function createGraphIndex({ exact, vectorsOf, schedule, fail }: GraphIndexHost): GraphIndex {
  const { dimensions } = exact
  let graph: Graph | null = null
  /** Whether the graph was complete once. Records added since then may wait. */
  let isBuilt = false
  let isFull = false
  /** Record key of each label; as long as the graph's capacity. */
  let keys = new Uint32Array(0)
  /** Key → its first label. The labels of its other chunks follow. */
  const labels = new Map<number, number>()
  let queue: number[] = []
  let next = 0
  let tail: Uint32Array | null = null
  let sample: Uint32Array | null = null

  return {
    kind: 'hnsw',
    dimensions,
    rows: exact.rows,
    bytes: () => exact.bytes() + (graph?.bytes() ?? 0),
    has: exact.has,
    estimate: exact.estimate,
    add(key, codes) {
      if (labels.has(key)) forgetPoints(key)
      exact.add(key, codes)
      queue.push(key)
      tail = null
      schedule()
    },
    remove(key) {
      exact.remove(key)
      forgetPoints(key)
      tail = null
      schedule()
    },
    replace(removed, added) {
      for (const key of removed) forgetPoints(key)
      for (const { key } of added) forgetPoints(key)
      exact.replace(removed, added)
      for (const { key } of added) queue.push(key)
      tail = null
      schedule()
    },
    scan(query, scopeKeys, depth, way, except = noKeys) {
      const isExact = way === 'exact' || !isReady() || depth > deepest || isNarrow(scopeKeys, except)
      const proposed = isExact ? null : attempt(() => propose(query, scopeKeys, depth, except))
      return proposed ?? exact.scan(query, scopeKeys, depth, way, except)
    },
    clear() {
      exact.clear()
      drop()
      schedule()
    },
    isReady,
    hasGraph: () => graph !== null,
    waiting,
    needsRebuild: () =>
      graph !== null && (isFull || graph.dead() > Math.max(graph.count() * mostDead, worthRebuilding)),
    begin(newGraph, keysOfPoints, order) {
      drop()
      graph = newGraph
      keys = new Uint32Array(newGraph.capacity).fill(deadPoint)
      keys.set(keysOfPoints)
      for (let label = 0; label < keysOfPoints.length; label++) {
        const key = keys[label]!
        if (key !== deadPoint && key !== keys[label - 1]) labels.set(key, label)
      }
      // Records that were removed while the graph was loading.
      for (const key of labels.keys()) if (!exact.has(key)) forgetPoints(key)
      queue = Array.from(order.filter((key) => exact.has(key) && !labels.has(key)))
      clearEmptyQueue()
    },
    grow(points) {
      attempt(() => {
        for (const end = (graph?.count() ?? 0) + points; graph !== null && !isFull && graph.count() < end; ) {
          const key = queue[next]
          if (key === undefined) break
          if (exact.has(key) && !labels.has(key)) isFull = !addPoints(graph, key)
          if (!isFull) next++
        }
        tail = sample = null
        clearEmptyQueue()
      })
    },
    drop,
    snapshot: () =>
      graph !== null && isBuilt && waiting() === 0 ? { graph, keys: keys.slice(0, graph.count()) } : null,
  }

  function waiting(): number {
    return queue.length - next
  }

  function isReady(): boolean {
    if (graph === null || !isBuilt) return false
    // A graph without living points proposes nothing; then the waiting records are all records.
    return waiting() === 0 || (waiting() <= mostWaiting && graph.count() > graph.dead())
  }

  function clearEmptyQueue(): void {
    if (waiting() > 0) return
    queue = []
    next = 0
    isBuilt = graph !== null
  }

  function drop(): void {
    try {
      graph?.close()
    } catch {
      // The graph is dropped in any case.
    }
    graph = tail = sample = null
    isBuilt = isFull = false
    keys = new Uint32Array(0)
    labels.clear()
    queue = []
    next = 0
  }

  /** Drops the graph when `work` throws, and returns null. The caller then answers exactly. */
  function attempt<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      drop()
      fail(error)
      return null
    }
  }

  /** Adds all chunks of a record. Returns false, and adds none, when the graph has no room for all. */
  function addPoints(into: Graph, key: number): boolean {
    const points: Float32Array[] = []
    vectorsOf(key, (vector) => points.push(unit(vector)))
    if (points.length === 0) throw new Error(`the store has no vector of record ${key}`)
    if (into.count() + points.length > into.capacity) return false
    labels.set(key, into.count())
    for (const point of points) keys[into.add(point)] = key
    return true
  }

  function forgetPoints(key: number): void {
    const first = labels.get(key)
    if (first === undefined) return
    labels.delete(key)
    sample = null
    attempt(() => {
      for (let label = first; keys[label] === key; label++) {
        keys[label] = deadPoint
        graph?.remove(label)
      }
    })
  }

  /** Whether gathering the scope costs less than walking the graph. Gathering also finds every record. */
  function isNarrow(scopeKeys: Uint32Array | null, except: ReadonlySet<number>): boolean {
    const all = labels.size + waiting()
    return (scopeKeys?.length ?? all) - except.size < all * wideShare
  }

  /** Null for a zero query, and when most of the proposed records are outside the scope. */
  function propose(
    query: Float32Array,
    scopeKeys: Uint32Array | null,
    depth: number,
    except: ReadonlySet<number>,
  ): VectorScan | null {
    const direction = unit(query)
    if (graph === null || query.length !== dimensions || direction.every((component) => component === 0)) return null
    const nearest = new Set<number>()
    for (const label of graph.nearest(direction, searchWidth)) nearest.add(keys[label]!)
    nearest.delete(deadPoint)
    const proposed = [...nearest].filter((key) => (scopeKeys === null || includes(scopeKeys, key)) && !except.has(key))
    if (proposed.length === 0 || proposed.length * 2 < nearest.size) return null
    const late = waiting() === 0 ? null : exact.scan(query, restrict(waitingKeys(), scopeKeys), depth, 'exact', except)
    const all = Uint32Array.from(late === null ? proposed : [...proposed, ...late.keys, ...late.tied])
    const background = sampledKeys()
    // One call for both: each call to estimate() quantises the query.
    const both = new Uint32Array(all.length + background.length)
    both.set(all)
    both.set(background, all.length)
    const { estimates, margins } = exact.estimate(query, both)
    const leftOut = [...except].filter((key) => labels.has(key)).length
    return {
      mode: 'hnsw',
      ...bestOf(all, estimates, margins, depth, late?.ceiling ?? Number.NEGATIVE_INFINITY),
      ...spreadOf(estimates.subarray(all.length)),
      scanned: proposed.length + (late?.scanned ?? 0),
      matched: Math.min(labels.size, (scopeKeys?.length ?? labels.size) - leftOut) + (late?.matched ?? 0),
    }
  }

  /** Keys of the waiting records, ascending and unique. */
  function waitingKeys(): Uint32Array {
    tail ??= Uint32Array.from(new Set(queue.slice(next).filter((key) => exact.has(key) && !labels.has(key)))).sort()
    return tail
  }

  /** The records of every n-th point, so that the background costs the same in a store of any size. */
  function sampledKeys(): Uint32Array {
    if (sample !== null) return sample
    const count = graph?.count() ?? 0
    const step = Math.max(1, Math.floor(count / sampleSize))
    const sampled = new Set<number>()
    for (let label = 0; label < count; label += step) sampled.add(keys[label]!)
    sampled.delete(deadPoint)
    sample = Uint32Array.from(sampled)
    return sample
  }
}

/** The graph answers while at most this many records wait: each query scans them. */
const mostWaiting = 4_096

/** Deeper policies are answered exactly: the graph proposes far too few candidates for them. */
const deepest = 10_000

/** Above this share of dead points the graph is rebuilt: searches still walk through them, and only a rebuild removes them. */
const mostDead = 0.2

/** Up to this many dead points a rebuild costs more than it saves. */
const worthRebuilding = 128

/** A scope with less than this share of all records is scanned. */
const wideShare = 0.9

const sampleSize = 2_048

/** The vector scaled to length 1. A zero vector stays zero. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const component of vector) squares += component * component
  const length = Math.sqrt(squares)
  return squares === 0 ? new Float32Array(vector.length) : vector.map((component) => component / length)
}
