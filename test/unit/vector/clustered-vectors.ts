/** Graphs of clustered vectors, and how many of the nearest they find. */
import { createGraph, type Graph } from '../../../worker/vector/hnsw/graph.ts'
import { unit } from '../../../worker/vector/hnsw/graph-index.ts'
import { type Hnswlib, openHnswlib } from '../../../worker/vector/hnsw/hnswlib.ts'
import { bruteForce, plainVector, seeded } from './vector-fixture.ts'

export const dimensions = 48
export const count = 4_000
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

export const records = clustered(5, count)
export const queries = [...clustered(5, count + questions).entries()].slice(count).map(([, [query]]) => query!)

export async function graphOf(vectors: Iterable<Float32Array>, capacity = count + 500): Promise<[Graph, Hnswlib]> {
  const library = await openHnswlib()
  const graph = createGraph(library, dimensions, capacity)
  for (const vector of vectors) graph.add(unit(vector))
  return [graph, library]
}

export const vectors = [...records.values()].map(([vector]) => vector!)

/** Share of the ten nearest by float64 brute force that are among the proposed. Labels are keys − 1. */
export function recallAt10(propose: (query: Float32Array) => readonly number[], alive = records): number {
  let found = 0
  for (const query of queries) {
    const proposed = new Set(propose(query))
    for (const key of bruteForce(query, alive, 10)) if (proposed.has(key)) found++
  }
  return found / (questions * 10)
}
