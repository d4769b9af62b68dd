/** Computes the warnings about several hits together. */
import type { Hit, Warning } from '../model/result.ts'

/** In ranking order: superseded hits whose successor does not rank above them. */
export function warningsOf(hits: readonly Hit[]): readonly Warning[] {
  const above = new Set<string>()
  return hits.flatMap(({ id, record }): Warning[] => {
    above.add(id)
    const { supersededBy } = record
    if (supersededBy === null || above.has(supersededBy)) return []
    return [{ code: 'stale_outranks_successor', ids: [id, supersededBy] }]
  })
}
