/** Groups eligible rows that were neither selected nor folded: by limit, and by threshold. */
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import type { RejectedRange } from '../order/rejected.ts'
import { sortByScore } from '../order/row-order.ts'
import type { Threshold } from './thresholds.ts'

export function groupRejected(
  plan: QueryPlan,
  facts: Facts,
  { low, high }: ScoreBounds,
  taken: Iterable<{ readonly row: number }>,
  { least, most }: Threshold,
  /** If given: of this row alone. */
  only?: number,
): readonly RejectedRange[] {
  const { length, ids } = facts.candidates
  const isTaken = new Uint8Array(length)
  for (const { row } of taken) isTaken[row] = 1
  const left = new Int32Array(length)
  let count = 0
  for (let row = only ?? 0; row <= (only ?? length - 1); row++) {
    if (isTaken[row] === 0 && low[row] !== Number.NEGATIVE_INFINITY) left[count++] = row
  }
  const rows = left.subarray(0, count)
  sortByScore(rows, low, ids)
  const group = (reason: string, stage: RejectedRange['stage'], of: Int32Array): RejectedRange => {
    const scores = new Float64Array(of.length)
    for (let i = 0; i < of.length; i++) scores[i] = low[of[i]!]!
    return { reason, stage, rows: of, scores }
  }
  const end = plan.offset + plan.limit
  const limit =
    plan.offset === 0 ? `beyond limit ${plan.limit}` : `beyond limit ${plan.limit} from offset ${plan.offset}`
  if (least === Number.NEGATIVE_INFINITY) return [group(limit, 'limit', rows)]
  const enough = rows.filter((row) => high[row]! >= least)
  return [
    most < end ? group(`a weak answer holds at most ${most}`, 'threshold', enough) : group(limit, 'limit', enough),
    group(
      belowLeast(least),
      'threshold',
      rows.filter((row) => high[row]! < least),
    ),
  ]
}

export function belowLeast(least: number): string {
  return `score below ${least}`
}
