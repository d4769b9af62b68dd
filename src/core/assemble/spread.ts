/** Association over links that are read hop by hop: only those of records that still pass something on. */

import { type CoOccurrenceEdge, propagate } from '../collections/propagate.ts'
import type { Link } from '../model/learned.ts'
import { tuning } from '../model/tuning.ts'

/** What the seeds pass on, by id, as `propagate` does over every link of the store. `linksOf` is asked once a record. */
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
    // A link of weight 1 passes on half.
    frontier = [...reached].flatMap(([id, score]) => (read.has(id) || score / 2 < threshold ? [] : [id]))
  }
  return reached
}
