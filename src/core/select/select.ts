/**
 * Selection: walks candidates in ranking order and takes what no skip rule refuses, up to the limit.
 * It works from bounds: where a cosine is known only within a margin, it asks for the few rows that could still be
 * selected to be read exactly, and selects once nothing else can matter. So the answer is the one that scoring every
 * candidate exactly would give (law V1), and a larger limit only appends (law S4).
 */
import type { Facts } from '../fusion/facts.ts'
import type { Dropped } from '../model/result.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import { compareRanked, type Ranked } from '../rank/order.ts'
import { scoreAt } from '../rank/score.ts'
import type { SignalContext } from '../signals/signal.ts'
import { gateReason } from './gate.ts'

export interface Selection {
  readonly selected: readonly Ranked[]
  /** Ids folded into each selected row. */
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly ledger: readonly Dropped[]
}

/** Rows that must be read (record and exact cosine) before the answer is certain. */
export interface Need {
  readonly need: readonly number[]
}

export function select(plan: QueryPlan, facts: Facts, context: SignalContext): Selection | Need {
  const { candidates, gates, records } = facts
  const gated: Dropped[] = []
  const closed = new Set<number>()
  const open: number[] = []
  for (let row = 0; row < candidates.length; row++) {
    const id = candidates.ids[row] as string
    const reason = gateReason(plan, id, gates.get(row))
    if (reason === null) open.push(row)
    else {
      gated.push({ id, reason, stage: 'gate' })
      closed.add(row)
    }
  }
  const nearest = rowsOfBestCosine(candidates)
  const low = open.map((row) => boundAt(context, row, candidates.cosineLow))
  const high = open.map((row) => boundAt(context, row, candidates.cosineHigh))

  // Double the number of places fought for until the limit is filled in spite of what collapsing folds.
  for (let places = plan.limit; ; places *= 2) {
    const floor = kthLargest(low, places)
    const contenders = new Set(open.filter((_, i) => (high[i] as number) >= floor))
    for (const row of Array.from(contenders)) {
      for (const twin of facts.twins.get(row) ?? []) if (!closed.has(twin)) contenders.add(twin)
    }
    const need = [...contenders, ...nearest].filter((row) => !records.has(row) || !isExact(facts, row))
    if (need.length > 0) return { need }
    const ranked = [...contenders].map((row) => rank(plan, facts, context, row)).sort(compareRanked)
    const { selected, collapsed, folded } = collapse(plan, facts, ranked)
    if (selected.length < plan.limit && contenders.size < open.length) continue
    const rest = open
      .filter((row) => !contenders.has(row))
      .map((row) => ({ row, score: boundAt(context, row, candidates.cosineLow) }))
    return {
      selected,
      collapsed,
      ledger: [...gated, ...folded, ...beyondLimit(plan, facts, ranked, selected, folded, rest)],
    }
  }
}

/** Rows that could hold the best cosine of all: evidence states it exactly. */
function rowsOfBestCosine({ cosineLow, cosineHigh, length }: Facts['candidates']): readonly number[] {
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < length; row++) if ((cosineLow[row] as number) > best) best = cosineLow[row] as number
  const rows: number[] = []
  for (let row = 0; row < length; row++) if ((cosineHigh[row] as number) >= best) rows.push(row)
  return rows
}

function isExact(facts: Facts, row: number): boolean {
  const { cosineLow, cosineHigh } = facts.candidates
  return Number.isNaN(cosineLow[row]) || cosineLow[row] === cosineHigh[row]
}

function boundAt(context: SignalContext, row: number, cosines: Float64Array): number {
  return scoreAt(context, row, cosines[row] as number)
}

function rank(plan: QueryPlan, facts: Facts, context: SignalContext, row: number): Ranked {
  const record = facts.records.get(row)
  return {
    row,
    score: plan.listing ? 0 : boundAt(context, row, facts.candidates.cosineLow),
    at: record?.[plan.policy.order] ?? 0,
    id: facts.candidates.ids[row] as string,
  }
}

interface Collapsed {
  readonly selected: readonly Ranked[]
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly folded: readonly Dropped[]
}

/**
 * Takes from the top up to the limit; under a policy that collapses, records with the content of a better one are
 * folded into it, wherever they rank. Records of different authority tiers are never folded (law S2).
 */
function collapse(plan: QueryPlan, facts: Facts, ranked: readonly Ranked[]): Collapsed {
  const mode = plan.query.collapse ?? plan.policy.collapse
  const selected: Ranked[] = []
  const collapsed = new Map<number, string[]>()
  const folded: Dropped[] = []
  const kept = new Map<string, Ranked>()
  for (const entry of ranked) {
    const record = facts.records.get(entry.row)
    const content =
      mode === 'none' || record === undefined ? entry.id : `${record.contentHash} ${record.authorityTier ?? ''}`
    const better = kept.get(content)
    if (better === undefined) {
      if (selected.length === plan.limit) continue
      selected.push(entry)
      kept.set(content, entry)
      continue
    }
    collapsed.set(better.row, [...(collapsed.get(better.row) ?? []), entry.id])
    folded.push({
      id: entry.id,
      reason: `same content as ${better.id}`,
      stage: 'collapse',
      ...scoreOf(plan, entry.score),
    })
  }
  return { selected, collapsed, folded }
}

/** Everything that was open and not taken: its score was not high enough for the limit. */
function beyondLimit(
  plan: QueryPlan,
  facts: Facts,
  ranked: readonly Ranked[],
  selected: readonly Ranked[],
  folded: readonly Dropped[],
  rest: readonly { readonly row: number; readonly score: number }[],
): readonly Dropped[] {
  const taken = new Set([...selected.map((entry) => entry.id), ...folded.map((entry) => entry.id)])
  const reason = `beyond limit ${plan.limit}`
  const near = ranked.filter((entry) => !taken.has(entry.id))
  const far = rest
    .map(({ row, score }) => ({ id: facts.candidates.ids[row] as string, score, at: 0 }))
    .sort(compareRanked)
  return [...near, ...far].map(({ id, score }) => ({ id, reason, stage: 'limit', ...scoreOf(plan, score) }))
}

function scoreOf(plan: QueryPlan, score: number): { score?: number } {
  return plan.query.explain === true ? { score } : {}
}

/** −Infinity when there are at most `k`: then every value counts. */
function kthLargest(values: readonly number[], k: number): number {
  if (values.length <= k) return Number.NEGATIVE_INFINITY
  const sorted = Float64Array.from(values).sort()
  return sorted[values.length - k] as number
}
