/**
 * Orders of rows by a column, then by the policy's time, then by id, all descending: the total order of answers (law
 * F3) for whole channels. Score and place are packed into one number each, so that the platform's number sort does the work.
 */
import type { CandidateTable } from '../fusion/facts.ts'
import { compareCodePoints } from '../text/order.ts'

/** Steps the largest score is rounded to for sorting; with the place of up to 4 million rows it stays an exact integer below 2^53. */
const scoreSteps = 2_147_483_648

/** Sorts rows in place by score, then id, both descending. */
export function sortByScore(rows: Int32Array, scores: Float64Array, ids: readonly string[]): void {
  sortRows(rows, scores, (a, b) => compareCodePoints(ids[b] as string, ids[a] as string))
}

/** Sorts rows in place by score descending; `compare` orders rows of equal score. */
export function sortRows(rows: Int32Array, scores: Float64Array, compare: (a: number, b: number) => number): void {
  const places = rows.length
  const packed = new Float64Array(places)
  let largest = 0
  for (let i = 0; i < places; i++) largest = Math.max(largest, Math.abs(scores[rows[i] as number] as number))
  // Of the largest, because a policy may weigh as it likes; divided first, so that nothing overflows.
  for (let i = 0; i < places; i++)
    packed[i] = -Math.round(((scores[rows[i] as number] as number) / (largest || 1)) * scoreSteps) * places + i
  packed.sort()
  const before = rows.slice()
  const steps = new Float64Array(places)
  for (let i = 0; i < places; i++) {
    const value = packed[i] as number
    const step = Math.floor(value / places)
    steps[i] = step
    rows[i] = before[value - step * places] as number
  }
  for (let from = 0; from < places; ) {
    let to = from + 1
    while (to < places && steps[to] === steps[from]) to++
    if (to - from > 1)
      rows.subarray(from, to).sort((a, b) => (scores[b] as number) - (scores[a] as number) || compare(a, b))
    from = to
  }
}

/** The rows by (time, id), both descending. */
export function newestFirst(rows: Int32Array, at: Float64Array, { ids }: CandidateTable): Int32Array {
  const sorted = rows.slice()
  sortByScore(sorted, at, ids)
  return sorted
}

/**
 * Ranks from 1 by row of those with a score above 0, the largest first; 0 for the rest. `newest` holds the rows in the
 * order that decides among equal scores.
 */
export function rankRows(newest: Int32Array, scores: Float64Array): Int32Array {
  const ranks = new Int32Array(scores.length)
  const place = new Int32Array(scores.length)
  const found = newest.filter((row, i) => {
    place[row] = i
    return (scores[row] as number) > 0
  })
  const groups = groupsOf(found, scores)
  if (groups === null) sortRows(found, scores, (a, b) => (place[a] as number) - (place[b] as number))
  const ordered = groups ?? found
  for (let i = 0; i < ordered.length; i++) ranks[ordered[i] as number] = i + 1
  return ranks
}

/** Most strengths a source can tell apart before sorting is quicker than gathering equals. */
const mostGroups = 64

/** The rows by score where few scores are told apart: linear. Null where there are many. */
function groupsOf(rows: Int32Array, scores: Float64Array): Int32Array | null {
  const groups = new Map<number, number[]>()
  for (const row of rows) {
    const group = groups.get(scores[row] as number)
    if (group !== undefined) group.push(row)
    else if (groups.size === mostGroups) return null
    else groups.set(scores[row] as number, [row])
  }
  const ordered = new Int32Array(rows.length)
  let at = 0
  for (const [, group] of [...groups].sort(([a], [b]) => b - a)) {
    ordered.set(group, at)
    at += group.length
  }
  return ordered
}
