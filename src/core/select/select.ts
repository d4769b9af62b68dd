/**
 * Selection: walks candidates in ranking order and takes what no skip rule refuses, up to the limit.
 * It works from bounds: where a cosine is known only within a margin, it asks for the few rows that could still be
 * selected to be read exactly, and selects once nothing else can matter. So the answer is the one that scoring every
 * candidate exactly would give [V1], and a larger limit only appends [S4].
 */

import { kthLargest } from '../collections/select-top.ts'
import { score } from '../fusion/fusions.ts'
import type { Scoring } from '../fusion/scoring.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import { filterHolds } from '../order/files-filter.ts'
import type { Beyond, Loss } from '../order/loss.ts'
import { compareRanked, type Ranked } from '../order/order.ts'
import { newestOf } from '../order/row-order.ts'
import { collapse } from './collapse.ts'
import { gateRows, outsideFiles } from './gate.ts'
import { leftOver } from './losses.ts'
import { quotaOf } from './quota.ts'
import { thresholdOf } from './thresholds.ts'

export interface Selection {
  readonly selected: readonly Ranked[]
  /** Ids folded into each selected row. */
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  /** Candidates that lost to a rule. */
  readonly losses: readonly Loss[]
  /** Candidates that lost to a cut, by what is known of their scores now: with the losses, all that were not selected [S5]. */
  beyond(): readonly Beyond[]
  readonly scoring: Scoring
  /** What a limit of two or more selects second: evidence must not depend on the limit. */
  readonly second: Ranked | undefined
  /** Whether the query's `files` filter held. */
  readonly filtered: boolean
}

/** Yields what it needs and goes on once that has been read into the facts. */
export function* select(plan: QueryPlan, facts: Facts): Generator<Need, Selection, void> {
  const { open, closed } = gateRows(plan, facts)
  const filtered = yield* filterHolds(facts, open, plan.policy.filesCosine)
  const scoring = yield* score(plan, facts, open, filtered)
  const outside = filtered ? outsideFiles(facts, open) : []
  const isNear = (plan.query.collapse ?? plan.policy.collapse) === 'near'
  // Double the number of places fought for until the limit is filled in spite of what is folded, and of full quotas.
  const wanted = Math.max(plan.limit, 2)
  // What a quota passes over beyond the limit, the ledger says as well: a larger limit would not let it in.
  const hasQuota = quotaOf(plan) !== null
  const first = hasQuota ? Math.max(wanted, facts.candidates.length) : wanted + (isNear ? tuning.nearWindow : 0)
  for (let places = first; ; places *= 2) {
    const { contenders, floor } = yield* readContenders(plan, facts, scoring.bounds, places)
    const ranked = contenders.map((row) => rank(plan, facts, scoring.bounds, row)).sort(compareRanked)
    const threshold = thresholdOf(plan.policy, ranked[0]?.score)
    const take = (limit: number) =>
      collapse(plan, facts, ranked, Math.max(floor, threshold.least), Math.min(limit, threshold.most))
    const taken = take(wanted)
    // Where many tie at the floor, no more of them were read than there are places.
    const isOpen = floor !== Number.NEGATIVE_INFINITY && floor >= threshold.least
    if (isOpen && (taken.selected.length < Math.min(wanted, threshold.most) || !taken.certain)) continue
    const { selected, collapsed, folded, skipped } = wanted === plan.limit ? taken : take(plan.limit)
    const own = [...folded, ...skipped]
    const further = hasQuota ? lostFurther(plan, facts, ranked, [...selected, ...own]) : []
    const losses = [...closed, ...outside, ...own, ...further]
    const beyond = () => [...leftOver(plan, facts, scoring.bounds, [...selected, ...losses], threshold), ...scoring.cut]
    return { selected, second: taken.selected[1], collapsed, losses, beyond, scoring, filtered }
  }
}

/** What any larger limit folds or passes over, whatever its score. */
function lostFurther(
  plan: QueryPlan,
  facts: Facts,
  ranked: readonly Ranked[],
  settled: readonly { readonly row: number }[],
): readonly Loss[] {
  const rows = new Set(settled.map(({ row }) => row))
  const { folded, skipped } = collapse(plan, facts, ranked, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return [...folded, ...skipped].filter(({ row }) => !rows.has(row))
}

interface Contenders {
  readonly contenders: readonly number[]
  readonly floor: number
}

/** Rows that could be among the first `places`, all read; with them those of the same content. */
function* readContenders(
  plan: QueryPlan,
  facts: Facts,
  bounds: ScoreBounds,
  places: number,
): Generator<Need, Contenders, void> {
  const folds = (plan.query.collapse ?? plan.policy.collapse) !== 'none'
  for (;;) {
    const floor = kthLargest(bounds.low, places)
    const contenders = folds ? contend(facts, bounds, floor) : firstOf(facts, bounds, floor, places)
    const records = contenders.filter((row) => !facts.records.has(row))
    const wanted = new Set([...contenders, ...contenders.flatMap(bounds.waitsFor), ...rowsOfBestCosine(facts)])
    const cosines = [...wanted].filter((row) => !isExact(facts, row))
    if (records.length + cosines.length === 0) return { contenders, floor }
    yield { need: { records, cosines } }
    bounds.refresh(cosines)
  }
}

/** Rows whose score may reach the floor; of those that tie there for certain, no more than there are places. */
function firstOf({ candidates }: Facts, { low, high }: ScoreBounds, floor: number, places: number): readonly number[] {
  const above: number[] = []
  const tied: number[] = []
  const least = Math.max(floor, -Number.MAX_VALUE)
  for (let row = 0; row < high.length; row++) {
    if (high[row]! < least) continue
    const ties = high[row] === floor && low[row] === floor
    ;(ties ? tied : above).push(row)
  }
  if (candidates.newest === null || tied.length <= places) return [...above, ...tied]
  return [...above, ...newestOf(tied, candidates).subarray(0, places)]
}

/** Rows whose score may reach the floor, and the rows with the same content as one of them. */
function contend(facts: Facts, { low, high }: ScoreBounds, floor: number): readonly number[] {
  const contenders = new Set<number>()
  const least = Math.max(floor, -Number.MAX_VALUE)
  for (let row = 0; row < high.length; row++) if (high[row]! >= least) contenders.add(row)
  // Rows of one content may share one list: once is enough.
  for (const twins of new Set(Array.from(contenders, (row) => facts.twins.get(row)))) {
    for (const twin of twins ?? []) if (low[twin] !== Number.NEGATIVE_INFINITY) contenders.add(twin)
  }
  return [...contenders]
}

/** Rows that could hold the best cosine of all: evidence states it exactly. */
function rowsOfBestCosine({ candidates: { cosineLow, cosineHigh, length } }: Facts): readonly number[] {
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < length; row++) if (cosineLow[row]! > best) best = cosineLow[row]!
  const rows: number[] = []
  for (let row = 0; row < length; row++) if (cosineHigh[row]! >= best) rows.push(row)
  return rows
}

function isExact({ candidates: { cosineLow, cosineHigh } }: Facts, row: number): boolean {
  return Number.isNaN(cosineLow[row]) || cosineLow[row] === cosineHigh[row]
}

/** The exact place of a row that was read. */
function rank(plan: QueryPlan, facts: Facts, bounds: ScoreBounds, row: number): Ranked {
  return {
    row,
    score: bounds.low[row]!,
    at: facts.records.get(row)?.[plan.policy.order] ?? 0,
    id: facts.candidates.ids[row]!,
  }
}
