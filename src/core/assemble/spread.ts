/** Propagates over links, which are read hop by hop: only those of records whose score is still high enough. */

import { type CoOccurrenceEdge, propagate } from '../collections/propagate.ts'
import type { Link } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'

/** Scores by id, as `propagate` computes them from all links of the store. `linksOf` is called once per record. */
export function spread(
  seeds: readonly string[],
  linksOf: (id: string) => readonly Link[],
  depth: number,
): ReadonlyMap<string, number> {
  const threshold = tuning.propagationThreshold
  const edges: CoOccurrenceEdge[] = []
  const read = new Set<string>()
  let frontier = seeds
  let reached: ReadonlyMap<string, number> = new Map()
  for (let hop = 1; hop <= depth && frontier.length > 0; hop++) {
    for (const id of frontier) {
      read.add(id)
      for (const link of linksOf(id)) edges.push([id, link.id, link.weight])
    }
    reached = propagate(edges, seeds, { depth: hop, threshold })
    // A link of weight 1 halves the score.
    frontier = [...reached].flatMap(([id, score]) => (read.has(id) || score / 2 < threshold ? [] : [id]))
  }
  return reached
}
