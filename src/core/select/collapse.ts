/**
 * Collapses duplicates and applies quotas: walks the records in ranking order up to the limit, folds each duplicate into the
 * better record, and skips records of a source whose quota is full. Records of equal content are folded at any rank;
 * near-duplicates only if they rank near each other, as similar texts do. Records of different authority tiers are never
 * folded [S2]. No record is folded into a skipped one: a copy from another source takes its place, so a source that repeats
 * the texts of others does not hide them.
 */
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from '../order/order.ts'
import type { Rejected } from '../order/rejected.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { createNearCheck, type NearCheck } from './near.ts'
import { type Quota, quotaOf } from './quota.ts'

export interface Collapsed {
  readonly selected: readonly Ranked[]
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly folded: readonly Rejected[]
  /** Skipped before the limit was reached, because the quota of their source is full. */
  readonly skipped: readonly Rejected[]
  /** False if candidates further down could still be folded into a selected one. */
  readonly certain: boolean
}

/**
 * `ranked`: in ranking order and read: all candidates whose score reaches the floor, and all of the same content. Those below
 * the floor can be folded but not selected, because better candidates may be missing. `isNear`: shared by the collapses of one recall, so that each
 * text is read once.
 */
export function collapse(
  plan: QueryPlan,
  facts: Facts,
  ranked: readonly Ranked[],
  floor: number,
  limit: number,
  isNear: NearCheck = createNearCheck(facts),
): Collapsed {
  const mode = plan.query.collapse ?? plan.policy.collapse
  const quota = quotaOf(plan)
  if (mode === 'none') {
    const certain = ranked.filter(({ score }) => score >= floor)
    return { ...takeEach(facts, certain, limit, quota), collapsed: new Map(), folded: [], certain: true }
  }
  const duplicatesOf = duplicatesByRow(plan, facts, ranked)
  const collapsed = new Map<number, string[]>()
  const folded: Rejected[] = []
  const skipped: Rejected[] = []
  const fold = (entry: Ranked, into: Ranked, reason: string) => {
    collapsed.set(into.row, [...(collapsed.get(into.row) ?? []), entry.id])
    folded.push({ row: entry.row, reason: `${reason} as ${into.id}`, stage: 'collapse', score: entry.score })
  }
  const near = mode === 'near' ? isNear : null
  /** The picks of the largest limit. With a quota the walk continues beyond the limit, because folding must not depend on the limit. */
  const picks: Ranked[] = []
  /** The selected record that each single record is folded into; a selected record maps to itself. */
  const foldsInto = new Map<Ranked, Ranked>()
  /** For each pick: the place among the single records of the pick, or of the last record folded into it. */
  const lastSeen: number[] = []
  /** Picks whose place is still within the window. Earlier picks are too far up to compare. */
  let recent: number[] = []
  let singles = 0
  for (const entry of ranked) {
    const duplicates = duplicatesOf.get(entry.row)
    if ((duplicates !== undefined && duplicates.keeper !== entry) || entry.score < floor) continue
    const place = singles++
    recent = recent.filter((i) => place - lastSeen[i]! <= tuning.nearWindow)
    const duplicate = near === null ? undefined : recent.find((i) => near(picks[i]!.row, entry.row))
    if (duplicate !== undefined) {
      lastSeen[duplicate] = place
      if (duplicate >= limit) continue
      foldsInto.set(entry, picks[duplicate]!)
      fold(entry, picks[duplicate]!, 'nearly the same text')
      continue
    }
    if (picks.length >= limit && quota === null) continue
    const refusal = refusalOf(quota, facts, entry)
    if (refusal === null) {
      if (picks.length < limit) foldsInto.set(entry, entry)
      recent.push(picks.length)
      picks.push(entry)
      lastSeen.push(place)
      continue
    }
    if (picks.length < limit) skipped.push({ row: entry.row, reason: refusal, stage: 'quota', score: entry.score })
    if (duplicates === undefined) continue
    duplicates.skippedRows.add(entry.row)
    duplicates.keeper = duplicates.below.get(entry.row) ?? entry
  }
  for (const entry of duplicatesOf.size === 0 ? [] : ranked) {
    const duplicates = duplicatesOf.get(entry.row)
    if (duplicates === undefined) continue
    const { keeper, skippedRows } = duplicates
    if (keeper === entry || skippedRows.has(entry.row)) continue
    const kept = foldsInto.get(keeper)
    if (kept !== undefined && kept !== keeper) fold(entry, kept, 'nearly the same text')
    // Without a selected record there is nothing to fold into. But under `keep: newest` no copy may come before the newest.
    else if (kept !== undefined || plan.policy.keep === 'newest') fold(entry, keeper, 'same content')
  }
  const last = Math.max(-1, ...lastSeen.slice(0, limit))
  const isCertain = near === null || floor === Number.NEGATIVE_INFINITY || singles - 1 - last >= tuning.nearWindow
  return { selected: picks.slice(0, limit), collapsed, folded, skipped, certain: isCertain }
}

/** What a smaller limit gives, if there is no quota and the best copies are kept. */
export function shortened(wide: Collapsed, facts: Facts, limit: number): Collapsed {
  const selected = wide.selected.slice(0, limit)
  const rows = new Set(selected.map(({ row }) => row))
  const collapsed = new Map([...wide.collapsed].filter(([row]) => rows.has(row)))
  return { ...wide, selected, collapsed, folded: foldedInto(collapsed, wide, facts) }
}

/** The folded records that `collapsed` names. */
export function foldedInto(
  collapsed: Collapsed['collapsed'],
  { folded }: Collapsed,
  { candidates: { ids } }: Facts,
): readonly Rejected[] {
  if (folded.length === 0) return folded
  const kept = new Set([...collapsed.values()].flat())
  return folded.filter(({ row }) => kept.has(ids[row]!))
}

/** Without collapsing: selects one record after another until the limit is reached. */
function takeEach(
  facts: Facts,
  ranked: readonly Ranked[],
  limit: number,
  quota: Quota | null,
): Pick<Collapsed, 'selected' | 'skipped'> {
  if (quota === null) return { selected: ranked.slice(0, limit), skipped: [] }
  const selected: Ranked[] = []
  const skipped: Rejected[] = []
  for (const entry of ranked) {
    if (selected.length >= limit) break
    const reason = refusalOf(quota, facts, entry)
    if (reason === null) selected.push(entry)
    else skipped.push({ row: entry.row, reason, stage: 'quota', score: entry.score })
  }
  return { selected, skipped }
}

function refusalOf(quota: Quota | null, { records }: Facts, { row }: Ranked): string | null {
  return quota === null ? null : quota.admit(records.get(row)?.source)
}

/** Candidates of equal content and tier. */
interface Duplicates {
  /** The one that is kept. */
  keeper: Ranked
  /** By row: the lower-ranked duplicate that is kept instead, if this row is skipped. */
  readonly below: ReadonlyMap<number, Ranked>
  /** Rows that were skipped. */
  readonly skippedRows: Set<number>
}

/** Of each row that has copies among the ranked ones. */
function duplicatesByRow(plan: QueryPlan, facts: Facts, ranked: readonly Ranked[]): ReadonlyMap<number, Duplicates> {
  const firsts = new Map<string, Ranked>()
  const groups = new Map<string, Ranked[]>()
  for (const entry of ranked) {
    const { contentHash, authorityTier } = facts.records.get(entry.row)!
    const content = authorityTier === null ? contentHash : `${contentHash} ${authorityTier}`
    const first = firsts.get(content)
    const group = groups.get(content)
    if (first === undefined) firsts.set(content, entry)
    else if (group === undefined) groups.set(content, [first, entry])
    else group.push(entry)
  }
  const duplicatesOf = new Map<number, Duplicates>()
  for (const group of groups.values()) {
    const below = new Map<number, Ranked>()
    let keeper = group.at(-1)!
    for (let i = group.length - 2; i >= 0; i--) {
      const entry = group[i]!
      below.set(entry.row, keeper)
      if (plan.policy.keep !== 'newest' || isNewer(facts, entry, keeper)) keeper = entry
    }
    const duplicates: Duplicates = { keeper, below, skippedRows: new Set() }
    for (const { row } of group) duplicatesOf.set(row, duplicates)
  }
  return duplicatesOf
}

function isNewer({ records }: Facts, a: Ranked, b: Ranked): boolean {
  const at = records.get(a.row)?.updatedAt ?? 0
  const other = records.get(b.row)?.updatedAt ?? 0
  return at === other ? compareCodePoints(a.id, b.id) > 0 : at > other
}
