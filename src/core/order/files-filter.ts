/**
 * The `files` filter: selects only records of these files, if at least one of them matches the query. Otherwise the filter is
 * ignored, because an answer from other files is better than none.
 */
import type { Facts, Need } from '../model/facts.ts'

/** Whether the filter applies to the eligible rows. Yields the cosines that decide it. */
export function* filterHolds(facts: Facts, eligible: Int32Array, minCosine: number): Generator<Need, boolean, void> {
  const { files, cosineLow, cosineHigh } = facts.candidates
  if (files === null) return false
  const kept = eligible.filter((row) => files[row] === 1)
  if (kept.some((row) => foundByText(facts, row) || cosineLow[row]! >= minCosine)) return true
  const cosines = Array.from(kept).filter((row) => cosineHigh[row]! >= minCosine && cosineLow[row] !== cosineHigh[row])
  if (cosines.length === 0) return false
  yield { need: { records: [], cosines } }
  return kept.some((row) => cosineLow[row]! >= minCosine)
}

/** Whether a word, a name or a path of the query found the row. Without a query every row counts as found. */
function foundByText({ candidates, channels }: Facts, row: number): boolean {
  const { lexical, terms, paths, sources } = candidates
  if (channels.recent.ran || lexical[row]! > 0) return true
  if (terms[row]! > 0 || paths[row]! > 0) return true
  return sources !== null && Object.values(sources).some((strengths) => strengths[row]! > 0)
}
