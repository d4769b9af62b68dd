/** Why candidates were not selected: plain rows until the ledger packs them. */
import type { Facts } from '../fusion/facts.ts'
import type { Dropped } from '../model/result.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { ScoreBounds } from '../rank/score.ts'
import { compareCodePoints } from '../text/order.ts'

export interface Loss {
  readonly row: number
  readonly reason: string
  readonly stage: Dropped['stage']
  /** Exact where the row was read, else the lower bound. */
  readonly score: number
}

/** Candidates that lost to the limit, best first by what is known of their scores, then by id. */
export interface Beyond {
  readonly reason: string
  readonly rows: Int32Array
  readonly scores: Float64Array
}

/** Every open row that was neither taken nor folded. */
export function beyondLimit(
  plan: QueryPlan,
  facts: Facts,
  { low }: ScoreBounds,
  taken: Iterable<{ readonly row: number }>,
): Beyond {
  const { length, ids } = facts.candidates
  const isTaken = new Uint8Array(length)
  for (const { row } of taken) isTaken[row] = 1
  const left = new Int32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    if (isTaken[row] === 0 && low[row] !== Number.NEGATIVE_INFINITY) left[count++] = row
  }
  const rows = left.subarray(0, count)
  sortByScore(rows, low, ids)
  const scores = new Float64Array(count)
  for (let i = 0; i < count; i++) scores[i] = low[rows[i] as number] as number
  return { reason: `beyond limit ${plan.limit}`, rows, scores }
}

/** Steps the largest score is rounded to for sorting; with the place of up to 4 million rows it stays an exact integer below 2^53. */
const scoreSteps = 2_147_483_648

/**
 * Sorts rows by score, then id, both descending. Score and place are packed into one number each, so that the
 * platform's own number sort does the work; rows that share a rounded score are put in order among themselves.
 */
function sortByScore(rows: Int32Array, scores: Float64Array, ids: readonly string[]): void {
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
      rows
        .subarray(from, to)
        .sort(
          (a, b) =>
            (scores[b] as number) - (scores[a] as number) || compareCodePoints(ids[b] as string, ids[a] as string),
        )
    from = to
  }
}
