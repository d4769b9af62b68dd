/** Computes the warnings about several records together. */
import type { Hit, Warning } from '../model/result.ts'

/**
 * In ranking order: superseded hits whose successor does not rank above them; then contradictions, in the order of the better of both
 * hits. `contradictions`: pairs of ids, the later record first.
 */
export function warningsOf(
  hits: readonly Hit[],
  contradictions: readonly (readonly [string, string])[] = [],
): readonly Warning[] {
  const above = new Set<string>()
  const stale = hits.flatMap(({ id, record }): Warning[] => {
    above.add(id)
    const { supersededBy } = record
    if (supersededBy === null || above.has(supersededBy)) return []
    return [{ code: 'stale_outranks_successor', ids: [id, supersededBy] }]
  })
  if (contradictions.length === 0) return stale
  const places = new Map(hits.map(({ id }, i) => [id, i]))
  const placeOf = (pair: readonly [string, string]) => Math.min(...pair.map((id) => places.get(id) ?? hits.length))
  const shown = contradictions
    .filter((pair) => placeOf(pair) < hits.length)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((ids): Warning => ({ code: 'contradicts', ids }))
  return [...stale, ...shown]
}
