/**
 * Selects: walks the candidates in ranking order and takes what no rule skips, up to the limit.
 * Works with bounds: if a cosine is known only within a margin, yields the few rows that could still be selected, to read
 * their exact cosines, and selects when no other row can matter. So the answer is the one that exact scores of all candidates
 * would give [V1], and a larger limit only appends [S4].
 */

import { kthLargest } from '../collections/select-top.ts'
import { score } from '../fusion/fusions.ts'
import type { Scoring } from '../fusion/scoring.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import type { ScoreBounds } from '../order/bounds.ts'
import { filterHolds } from '../order/files-filter.ts'
import { compareRanked, rank, type Ranked } from '../order/order.ts'
import type { Rejected, RejectedRange } from '../order/rejected.ts'
import { newestOf } from '../order/row-order.ts'
import { asksForLedger } from './asks-for-ledger.ts'
import { type Collapsed, collapse, foldedInto, shortened } from './collapse.ts'
import { gateRows, outsideFiles } from './gate.ts'
import { createNearCheck, type NearCheck } from './near.ts'
import { quotaOf } from './quota.ts'
import {
  canChange,
  followsChanges,
  type LaterFirst,
  laterFirst,
  type Successor,
  withSuccessors,
} from './later-first.ts'
import { groupRejected } from './rejected-ranges.ts'
import { type Reserved, selectReserved } from './reserve.ts'
import { thresholdOf } from './thresholds.ts'

export interface Selection {
  /** From the offset of the query to its limit. */
  readonly selected: readonly Ranked[]
  readonly reserved: Reserved
  /** The first record of the order; undefined if nothing can be selected. */
  readonly first: Ranked | undefined
  /** Ids folded into each selected row. */
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  /** Candidates that a rule excluded. */
  readonly rejected: readonly Rejected[]
  /** Candidates behind a cut, by the current bounds of their scores; `only`: at least those with this row. Together with `rejected`: all that were not selected [S5]. */
  rejectedRanges(only?: number): readonly RejectedRange[]
  readonly scoring: Scoring
  /** Statements about one matter, and the records that rose for them. */
  readonly later: Pick<LaterFirst, 'changes' | 'rose'>
  /** A record below this score changes nothing of the selection. −Infinity: any record may. */
  readonly floor: number
  /** The second record under a limit of two or more: evidence must not depend on the limit. */
  readonly second: Ranked | undefined
  /** Rows that may agree with the first record: the next ones of the order, folded ones too, and its copies. The same under every limit [G7]. */
  readonly next: readonly number[]
  /** Whether the `files` filter of the query applied. */
  readonly filtered: boolean
}

/** Yields the rows to read, and continues when they are in the facts. */
export function* select(plan: QueryPlan, facts: Facts): Generator<Need, Selection, void> {
  const { eligible, gated } = gateRows(plan, facts)
  const filtered = yield* filterHolds(facts, eligible, plan.policy.filesCosine)
  const scoring = yield* score(plan, facts, eligible, filtered)
  const outside = filtered ? outsideFiles(facts, eligible) : []
  const near = createNearCheck(facts)
  const isNear = (plan.query.collapse ?? plan.policy.collapse) === 'near'
  // The gap of the evidence needs two records under every limit.
  const end = plan.offset + plan.limit
  const leastPlaces = Math.max(end, 2)
  // The ledger also reports records that a quota skips beyond the limit, because a larger limit would not add them.
  const follows = followsChanges(plan)
  const quota = quotaOf(plan)
  const readsAll = quota !== null && asksForLedger(plan)
  const window = isNear || follows ? Math.max(tuning.nearWindow, tuning.changeWindow) : 0
  const first = readsAll ? Math.max(leastPlaces, facts.candidates.length) : leastPlaces + window
  // Those that may rise, and those that may be folded into the last of them.
  const reach = end + tuning.changeWindow + (isNear ? tuning.nearWindow : 0)
  // Doubles the number of places until the limit is reached in spite of folded records and full quotas.
  for (let places = first, next = 0; ; places = next) {
    next = 2 * places
    const { contenders, floor } = yield* readContenders(plan, facts, scoring.bounds, places)
    const read = contenders.map((row) => rank(plan, facts, scoring.bounds, row)).sort(compareRanked)
    const ranked = facts.unfound === undefined ? read : read.filter(({ row }) => !facts.unfound!.has(row))
    const threshold = thresholdOf(plan.policy, ranked[0]?.score)
    // If many records tie at the floor, only as many were read as there are places.
    const isOpen = floor !== Number.NEGATIVE_INFINITY && floor >= threshold.least
    const mayRise = follows && ranked.some(({ row }) => canChange(facts.records.get(row)!))
    if (isOpen && mayRise && places < reach) {
      next = reach
      continue
    }
    const collapseTo = (limit: number) =>
      collapse(plan, facts, ranked, Math.max(floor, threshold.least), Math.min(limit, threshold.most), near)
    const wide = mayRise ? collapseTo(end + tuning.changeWindow) : null
    const cut =
      wide === null || quota !== null ? collapseTo(end) : shortened(wide, facts, Math.min(end, threshold.most))
    const result = leastPlaces === end ? cut : collapseTo(leastPlaces)
    if (isOpen && (result.selected.length < Math.min(leastPlaces, threshold.most) || !result.certain)) continue
    const copies = copiesOf(facts, result.selected[0])
    const certain = isOpen ? ranked.slice(0, places) : ranked.filter(({ score }) => score >= threshold.least)
    const others = certain.filter(({ row }) => !copies.has(row)).slice(0, 1 + window)
    // Copies of the first record take no places of others that may agree with it.
    if (isOpen && others.length <= window) continue
    const lacksPlaces = wide !== null && wide.selected.length < Math.min(end + tuning.changeWindow, threshold.most)
    // The copies of a record from behind the cut are known only if enough places behind it were read.
    if (isOpen && (lacksPlaces || wide?.certain === false)) continue
    const canRise = cut.selected.some(({ row }) => canChange(facts.records.get(row)!))
    const rising = wide === null || !canRise ? null : withRisen(plan, facts, { cut, wide, contenders: read }, end)
    const { selected, collapsed, folded, skipped } = rising?.result ?? cut
    const folds = [...folded, ...skipped]
    const further = readsAll ? rejectedFurther(plan, facts, ranked, near, [...selected, ...folds]) : []
    const before = selected
      .slice(0, plan.offset)
      .map(({ row, score }): Rejected => ({ row, score, ...beforeOffset(plan) }))
    const rejected = [...gated, ...outside, ...before, ...folds, ...further]
    const ranges = (only?: number) => [
      ...groupRejected(plan, facts, scoring.bounds, [...selected, ...rejected], threshold, only),
      ...scoring.cut,
    ]
    const [first, second] = result.selected
    const isEligible = (row: number) => scoring.bounds.low[row] !== Number.NEGATIVE_INFINITY
    return {
      selected: selected.slice(plan.offset),
      reserved: yield* selectReserved(plan, facts, scoring),
      first,
      second,
      next: [...copies, ...others.map(({ row }) => row)].filter((row) => row !== first?.row && isEligible(row)),
      collapsed,
      rejected,
      rejectedRanges: ranges,
      scoring,
      later: rising?.later ?? noneLater,
      filtered,
      floor: Math.max(floor, threshold.least),
    }
  }
}

/** Rows with the content of the first record, and its own. */
function copiesOf({ duplicates }: Facts, first: Ranked | undefined): ReadonlySet<number> {
  return new Set(first === undefined ? [] : [first.row, ...(duplicates.get(first.row) ?? [])])
}

const noneLater: Selection['later'] = { changes: new Map(), rose: new Map() }

interface Walked {
  /** Up to the limit, and up to the window behind it. */
  readonly cut: Collapsed
  readonly wide: Collapsed
  readonly contenders: readonly Ranked[]
}

/** The cut selection in its new order; with the copies of the records that rose into it. */
function withRisen(plan: QueryPlan, facts: Facts, { cut, wide, contenders }: Walked, end: number) {
  const successors = quotaOf(plan) === null ? successorsOf(facts, contenders, wide) : null
  const later = laterFirst(facts, wide.selected, successors)
  const selected = later.order.slice(0, end)
  const before = new Set(cut.selected.map(({ row }) => row))
  if (later.far.size === 0 && selected.every(({ row }) => before.has(row)))
    return { later, result: { ...cut, selected } }
  const shown = new Set(selected.map(({ row }) => row))
  const isApart = new Set(selected.map(({ id }) => id))
  const collapsed = new Map(
    [...wide.collapsed]
      .filter(([row]) => shown.has(row) && !later.far.has(row))
      .map(([row, copies]) => [row, copies.filter((id) => !isApart.has(id))] as const)
      .filter(([, copies]) => copies.length > 0),
  )
  const folded = foldedInto(collapsed, wide, facts)
  return { later, result: { selected, collapsed, folded, skipped: cut.skipped } }
}

/** Read records that are known to replace a selected one, and were folded or rank too low. */
function successorsOf(facts: Facts, contenders: readonly Ranked[], { selected, collapsed }: Collapsed) {
  const places = new Map(selected.map(({ row }, place) => [row, place]))
  const { ids } = facts.candidates
  const foldedAt = new Map([...collapsed].flatMap(([row, copies]) => copies.map((id) => [id, places.get(row)!])))
  const rows = new Set(withSuccessors(facts, [...places.keys()]))
  return contenders
    .filter(({ row }) => rows.has(row) && !places.has(row))
    .map((entry): Successor => ({ entry, place: foldedAt.get(ids[entry.row]!) ?? Number.POSITIVE_INFINITY }))
}

function beforeOffset({ offset }: QueryPlan): Pick<Rejected, 'reason' | 'stage'> {
  return { reason: `before offset ${offset}`, stage: 'limit' }
}

/** The records that would be folded or skipped under any larger limit, whatever their score. */
function rejectedFurther(
  plan: QueryPlan,
  facts: Facts,
  ranked: readonly Ranked[],
  near: NearCheck,
  decided: readonly { readonly row: number }[],
): readonly Rejected[] {
  const rows = new Set(decided.map(({ row }) => row))
  const { folded, skipped } = collapse(plan, facts, ranked, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, near)
  return [...folded, ...skipped].filter(({ row }) => !rows.has(row))
}

interface Contenders {
  readonly contenders: readonly number[]
  readonly floor: number
}

/** Rows that could be among the first `places`, and rows of the same content. Yields until all are read. */
function* readContenders(
  plan: QueryPlan,
  facts: Facts,
  bounds: ScoreBounds,
  places: number,
): Generator<Need, Contenders, void> {
  const folds = (plan.query.collapse ?? plan.policy.collapse) !== 'none'
  for (;;) {
    const floor = kthLargest(bounds.low, places)
    const reaching = folds ? contend(facts, bounds, floor) : firstOf(facts, bounds, floor, places)
    const contenders = followsChanges(plan)
      ? withSuccessors(facts, reaching).filter((row) => bounds.low[row] !== Number.NEGATIVE_INFINITY)
      : reaching
    const records = contenders.filter((row) => !facts.records.has(row))
    const needed = new Set([...contenders, ...contenders.flatMap(bounds.dependsOn), ...rowsOfBestCosine(facts)])
    const cosines = [...needed].filter((row) => !isExact(facts, row))
    if (records.length + cosines.length === 0) return { contenders, floor }
    yield { need: { records, cosines } }
    bounds.refresh(cosines)
  }
}

/** Rows whose score may reach the floor. Of rows that certainly tie at the floor, at most `places`. */
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

/** Rows whose score may reach the floor, and rows with the same content as one of them. */
function contend(facts: Facts, { low, high }: ScoreBounds, floor: number): readonly number[] {
  const contenders = new Set<number>()
  const least = Math.max(floor, -Number.MAX_VALUE)
  for (let row = 0; row < high.length; row++) if (high[row]! >= least) contenders.add(row)
  // Rows of the same content may share one list, which is visited once.
  for (const duplicates of new Set(Array.from(contenders, (row) => facts.duplicates.get(row)))) {
    for (const duplicate of duplicates ?? []) if (low[duplicate] !== Number.NEGATIVE_INFINITY) contenders.add(duplicate)
  }
  return [...contenders]
}

/** Rows that could have the best cosine, which the evidence reports exactly. */
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
