/**
 * Selects the records with a reserved place: of those that `reserve` of the query names, the first by the order of the answer, each content once.
 * They do not depend on limit and offset, so a larger limit still only appends to the hits [S4].
 */
import { kthLargest } from '../collections/select-top.ts'
import type { Scoring } from '../fusion/scoring.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { compareRanked, rank, type Ranked } from '../order/order.ts'

export interface Reserved {
  readonly selected: readonly Ranked[]
  /** A record below this score changes nothing of them. −Infinity: any record may. */
  readonly floor: number
}

/** Yields the rows to read, and continues when they are in the facts. */
export function* selectReserved(plan: QueryPlan, facts: Facts, { bounds }: Scoring): Generator<Need, Reserved, void> {
  const { reserved, cosineLow, cosineHigh } = facts.candidates
  const places = plan.query.reserve?.places ?? 0
  if (reserved === undefined || places === 0) return { selected: [], floor: Number.POSITIVE_INFINITY }
  const rows = Array.from(reserved.keys()).filter(
    (row) => reserved[row] === 1 && bounds.high[row] !== Number.NEGATIVE_INFINITY,
  )
  // Doubles the number of rows that are read until enough contents are different.
  for (let most = places; ; most *= 2) {
    const floor = kthLargest(
      Float64Array.from(rows, (row) => bounds.low[row]!),
      most,
    )
    const contenders = rows.filter((row) => bounds.high[row]! >= Math.max(floor, -Number.MAX_VALUE))
    const isOpen = (row: number) => !Number.isNaN(cosineLow[row]) && cosineLow[row] !== cosineHigh[row]
    const cosines = [...new Set([...contenders, ...contenders.flatMap(bounds.dependsOn)])].filter(isOpen)
    const records = contenders.filter((row) => !facts.records.has(row))
    if (records.length + cosines.length > 0) {
      yield { need: { records, cosines } }
      bounds.refresh(cosines)
      most /= 2
      continue
    }
    const contents = new Set<string>()
    const chosen = contenders
      .map((row) => rank(plan, facts, bounds, row))
      .sort(compareRanked)
      .filter(({ row }) => {
        const { contentHash } = facts.records.get(row)!
        const isFirst = !contents.has(contentHash)
        contents.add(contentHash)
        return isFirst
      })
    if (chosen.length >= places || contenders.length === rows.length || floor === Number.NEGATIVE_INFINITY)
      return { selected: chosen.slice(0, places), floor: chosen[places - 1]?.score ?? Number.NEGATIVE_INFINITY }
  }
}
