/** What a reader of the hits should know of them together. */
import type { Hit, Warning } from '../model/result.ts'

/** In ranking order: a hit that is superseded while its successor does not stand above it. */
export function warningsOf(hits: readonly Hit[]): readonly Warning[] {
  const above = new Set<string>()
  return hits.flatMap(({ id, record }): Warning[] => {
    above.add(id)
    const { supersededBy } = record
    if (supersededBy === null || above.has(supersededBy)) return []
    return [{ code: 'stale_outranks_successor', ids: [id, supersededBy] }]
  })
}
