/**
 * Collapsing and quotas: records that say the same as a better one are folded into it, those of a source that has its share
 * are passed over, and the answer takes what is left up to the limit. Of equal contents all that came up are folded, wherever
 * they rank; near-duplicates where they rank near each other, as texts that say the same do. Records of different authority
 * tiers are never folded [S2], and none is folded into one that was passed over: copies from elsewhere take its place, so
 * that a source which repeats what others say does not silence them.
 */
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import type { Loss } from '../order/loss.ts'
import type { Ranked } from '../order/order.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { createNearCheck } from './near.ts'
import { type Quota, quotaOf } from './quota.ts'

export interface Collapsed {
  readonly selected: readonly Ranked[]
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly folded: readonly Loss[]
  /** Passed over before the limit was filled, for the quota of their source. */
  readonly skipped: readonly Loss[]
  /** False when candidates further down could still be folded into a selected one. */
  readonly certain: boolean
}

/**
 * `ranked`: in ranking order, every one read: all candidates whose score reaches the floor, and with them every one of
 * the same content. Those below the floor can be folded, but not taken: better ones may not be among them.
 */
export function collapse(
  plan: QueryPlan,
  facts: Facts,
  ranked: readonly Ranked[],
  floor: number,
  limit: number,
): Collapsed {
  const mode = plan.query.collapse ?? plan.policy.collapse
  const quota = quotaOf(plan)
  if (mode === 'none') {
    const certain = ranked.filter(({ score }) => score >= floor)
    return { ...takeEach(facts, certain, limit, quota), collapsed: new Map(), folded: [], certain: true }
  }
  const copiesOf = copiesByRow(plan, facts, ranked)
  const collapsed = new Map<number, string[]>()
  const folded: Loss[] = []
  const skipped: Loss[] = []
  const fold = (entry: Ranked, into: Ranked, reason: string) => {
    collapsed.set(into.row, [...(collapsed.get(into.row) ?? []), entry.id])
    folded.push({ row: entry.row, reason: `${reason} as ${into.id}`, stage: 'collapse', score: entry.score })
  }
  const near = mode === 'near' ? createNearCheck(facts) : null
  /** What the largest limit takes: under a quota the walk goes on below the limit, for what is folded must not depend on it. */
  const taken: Ranked[] = []
  /** What each single is folded into; a selected one stands for itself. */
  const standsFor = new Map<Ranked, Ranked>()
  /** Where each taken one, or the last that was folded into it, stands among the singles. */
  const lastSeen: number[] = []
  /** Those of them that are still within the window: all the others are too far up to be compared with. */
  let recent: number[] = []
  let singles = 0
  for (const entry of ranked) {
    const copies = copiesOf.get(entry.row)!
    if (copies.keeper !== entry || entry.score < floor) continue
    const place = singles++
    recent = recent.filter((i) => place - lastSeen[i]! <= tuning.nearWindow)
    const twin = near === null ? undefined : recent.find((i) => near(taken[i]!.row, entry.row))
    if (twin !== undefined) {
      lastSeen[twin] = place
      if (twin >= limit) continue
      standsFor.set(entry, taken[twin]!)
      fold(entry, taken[twin]!, 'nearly the same text')
      continue
    }
    if (taken.length >= limit && quota === null) continue
    const refusal = refusalOf(quota, facts, entry)
    if (refusal === null) {
      if (taken.length < limit) standsFor.set(entry, entry)
      recent.push(taken.length)
      taken.push(entry)
      lastSeen.push(place)
      continue
    }
    if (taken.length < limit) skipped.push({ row: entry.row, reason: refusal, stage: 'quota', score: entry.score })
    copies.passed.add(entry.row)
    copies.keeper = copies.below.get(entry.row) ?? entry
  }
  for (const entry of ranked) {
    const { keeper, passed } = copiesOf.get(entry.row)!
    if (keeper === entry || passed.has(entry.row)) continue
    const kept = standsFor.get(keeper)
    if (kept !== undefined && kept !== keeper) fold(entry, kept, 'nearly the same text')
    // Beside what is selected there is nothing to fold into; but a copy must not come before its newest.
    else if (kept !== undefined || plan.policy.keep === 'newest') fold(entry, keeper, 'same content')
  }
  const last = Math.max(-1, ...lastSeen.slice(0, limit))
  const isSettled = near === null || floor === Number.NEGATIVE_INFINITY || singles - 1 - last >= tuning.nearWindow
  return { selected: taken.slice(0, limit), collapsed, folded, skipped, certain: isSettled }
}

/** Without collapsing: one after another, until the limit is filled. */
function takeEach(
  facts: Facts,
  ranked: readonly Ranked[],
  limit: number,
  quota: Quota | null,
): Pick<Collapsed, 'selected' | 'skipped'> {
  if (quota === null) return { selected: ranked.slice(0, limit), skipped: [] }
  const selected: Ranked[] = []
  const skipped: Loss[] = []
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

/** Candidates of one content and tier. */
interface Copies {
  /** Which of them stands for them all. */
  keeper: Ranked
  /** By row: which of those that rank below it would, were it passed over. */
  readonly below: ReadonlyMap<number, Ranked>
  /** Rows that were passed over. */
  readonly passed: Set<number>
}

function copiesByRow(plan: QueryPlan, facts: Facts, ranked: readonly Ranked[]): ReadonlyMap<number, Copies> {
  const groups = new Map<string, Ranked[]>()
  for (const entry of ranked) {
    const record = facts.records.get(entry.row)
    const content = `${record?.contentHash} ${record?.authorityTier ?? ''}`
    const group = groups.get(content)
    if (group === undefined) groups.set(content, [entry])
    else group.push(entry)
  }
  const copiesOf = new Map<number, Copies>()
  for (const group of groups.values()) {
    const below = new Map<number, Ranked>()
    let keeper = group.at(-1)!
    for (let i = group.length - 2; i >= 0; i--) {
      const entry = group[i]!
      below.set(entry.row, keeper)
      if (plan.policy.keep !== 'newest' || isNewer(facts, entry, keeper)) keeper = entry
    }
    const copies: Copies = { keeper, below, passed: new Set() }
    for (const { row } of group) copiesOf.set(row, copies)
  }
  return copiesOf
}

function isNewer({ records }: Facts, a: Ranked, b: Ranked): boolean {
  const at = records.get(a.row)?.updatedAt ?? 0
  const other = records.get(b.row)?.updatedAt ?? 0
  return at === other ? compareCodePoints(a.id, b.id) > 0 : at > other
}
