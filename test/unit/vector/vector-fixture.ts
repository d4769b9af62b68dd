/**
 * Vectors for the tests: seeded, from plain to extreme; and an index filled with them, next to a naive copy of the
 * truth.
 */

import { loadKernel } from '../../../worker/kernel/load-kernel.ts'
import { createExactIndex, type ExactIndex } from '../../../worker/vector/exact/exact.ts'
import type { VectorIndex, VectorScan } from '../../../worker/vector/port.ts'
import { encodeVector } from '../../../worker/vector/quantise.ts'
import { bruteForce as bruteForceById, plainCosine } from '../../support/brute-force.ts'

export type Records = ReadonlyMap<number, readonly Float32Array[]>

/** A generator of numbers in [0, 1) that gives the same ones for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A vector with roughly normal components. */
export function plainVector(random: () => number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() + random() + random() + random() - 2)
}

/** Vectors that strain a quantiser: huge, tiny, subnormal, one-hot, flat, with an outlier, sparse, zero. */
export function nastyVectors(random: () => number, dimensions: number): Float32Array[] {
  const plain = () => plainVector(random, dimensions)
  const place = Math.floor(random() * dimensions)
  return [
    plain().map((component) => component * 1e37),
    plain().map((component) => component * 1e-37),
    plain().map((component) => component * 1e-44),
    new Float32Array(dimensions).fill(0, 0).map((_, at) => (at === place ? -3 : 0)),
    new Float32Array(dimensions).fill(-0.25),
    plain().map((component, at) => (at === place ? 1_000 : component)),
    plain().map((component, at) => (at === place ? component : component * 1e-9)),
    plain().map((component) => (random() < 0.9 ? 0 : component)),
    Float32Array.from({ length: dimensions }, (_, at) => (at % 2 === 0 ? 1 : -1)),
    new Float32Array(dimensions),
  ]
}

export function emptyIndex(dimensions: number): ExactIndex {
  return createExactIndex(loadKernel(), dimensions)
}

/** Adds every record, in the order of the map. */
export function fill(index: VectorIndex, records: Records): void {
  for (const [key, vectors] of records) index.add(key, vectors.map(encodeVector))
}

/** Records with one to three chunks each, keyed from 1. */
export function plainRecords(random: () => number, count: number, dimensions: number): Map<number, Float32Array[]> {
  const records = new Map<number, Float32Array[]>()
  for (let key = 1; key <= count; key++) {
    const chunks = random() < 0.2 ? 1 + Math.floor(random() * 3) : 1
    records.set(
      key,
      Array.from({ length: chunks }, () => plainVector(random, dimensions)),
    )
  }
  return records
}

/** By how much an estimate lies outside its margin; at most 0 when the margin is right. */
export function breach(exact: number, estimate: number, margin: number): number {
  return Math.abs(exact - estimate) - margin
}

export function exactCosineOf(query: Float32Array, records: Records, key: number): number {
  return Math.max(...(records.get(key) ?? []).map((vector) => plainCosine(query, vector)))
}

/** The `k` best keys by float64 brute force; ids are keys as padded text, so that ties fall to the larger key. */
export function bruteForce(query: Float32Array, records: Records, k: number): number[] {
  const named = [...records].map(([key, vectors]) => ({ id: String(key).padStart(10, '0'), vectors }))
  return bruteForceById(query, named, k).map(({ id }) => Number(id))
}

/** Evaluates a scan as callers do: candidates rescored in float64, then ordered as brute force orders. */
export function rescored(scan: VectorScan, query: Float32Array, records: Records, k: number): number[] {
  return [...scan.keys, ...scan.tied]
    .map((key) => ({ key, exact: exactCosineOf(query, records, key) }))
    .sort((a, b) => b.exact - a.exact || b.key - a.key)
    .slice(0, k)
    .map(({ key }) => key)
}

/** The largest exact cosine among records that a scan left out. */
export function bestLeftOut(scan: VectorScan, query: Float32Array, records: Records): number {
  const named = new Set([...scan.keys, ...scan.tied])
  let best = -Infinity
  for (const [key, vectors] of records) {
    if (!named.has(key)) for (const vector of vectors) best = Math.max(best, plainCosine(query, vector))
  }
  return best
}
