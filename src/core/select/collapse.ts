/**
 * Collapsing: records that say the same as a better one are folded into it, and the answer takes one of each up to the
 * limit. Of equal contents all that came up are folded, wherever they rank; near-duplicates where they rank near each
 * other, as texts that say the same do. Records of different authority tiers are never folded (law S2).
 */
import type { Facts } from '../fusion/facts.ts'
import { tuning } from '../model/tuning.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { Loss } from '../rank/loss.ts'
import type { Ranked } from '../rank/order.ts'
import { compareCodePoints } from '../text/order.ts'
import { createNearCheck } from './near.ts'

export interface Collapsed {
  readonly selected: readonly Ranked[]
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly folded: readonly Loss[]
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
  const certain = ranked.filter(({ score }) => score >= floor)
  if (mode === 'none') return { selected: certain.slice(0, limit), collapsed: new Map(), folded: [], certain: true }
  const keepers = keepersOf(plan, facts, ranked)
  const collapsed = new Map<number, string[]>()
  const folded: Loss[] = []
  const fold = (entry: Ranked, into: Ranked, reason: string) => {
    collapsed.set(into.row, [...(collapsed.get(into.row) ?? []), entry.id])
    folded.push({ row: entry.row, reason: `${reason} as ${into.id}`, stage: 'collapse', score: entry.score })
  }
  const singles = ranked.filter((entry) => keepers.get(entry.row) === entry && entry.score >= floor)
  const near = mode === 'near' ? createNearCheck(facts) : null
  const selected: Ranked[] = []
  /** What each single is folded into; a selected one stands for itself. */
  const standsFor = new Map<Ranked, Ranked>()
  /** Where each selected one, or the last that was folded into it, stands among the singles. */
  const lastSeen: number[] = []
  for (const [place, entry] of singles.entries()) {
    const twin =
      near === null
        ? -1
        : selected.findIndex(
            (kept, i) => place - (lastSeen[i] as number) <= tuning.nearWindow && near(kept.row, entry.row),
          )
    if (twin !== -1) {
      lastSeen[twin] = place
      standsFor.set(entry, selected[twin] as Ranked)
      fold(entry, selected[twin] as Ranked, 'nearly the same text')
    } else if (selected.length < limit) {
      selected.push(entry)
      standsFor.set(entry, entry)
      lastSeen.push(place)
    }
  }
  for (const entry of ranked) {
    const keeper = keepers.get(entry.row) as Ranked
    if (keeper === entry) continue
    const kept = standsFor.get(keeper)
    if (kept !== undefined && kept !== keeper) fold(entry, kept, 'nearly the same text')
    // Beside what is selected there is nothing to fold into; but a copy must not come before its newest.
    else if (kept !== undefined || plan.policy.keep === 'newest') fold(entry, keeper, 'same content')
  }
  const last = Math.max(-1, ...lastSeen)
  const isSettled =
    near === null || floor === Number.NEGATIVE_INFINITY || singles.length - 1 - last >= tuning.nearWindow
  return { selected, collapsed, folded, certain: isSettled }
}

/** By row: which of the records of its content and tier stands for them. */
function keepersOf(plan: QueryPlan, facts: Facts, ranked: readonly Ranked[]): ReadonlyMap<number, Ranked> {
  const kept = new Map<string, Ranked>()
  const contentOf = ({ row }: Ranked) => {
    const record = facts.records.get(row)
    return `${record?.contentHash} ${record?.authorityTier ?? ''}`
  }
  for (const entry of ranked) {
    const content = contentOf(entry)
    const other = kept.get(content)
    if (other === undefined || (plan.policy.keep === 'newest' && isNewer(facts, entry, other))) kept.set(content, entry)
  }
  return new Map(ranked.map((entry) => [entry.row, kept.get(contentOf(entry)) as Ranked]))
}

function isNewer({ records }: Facts, a: Ranked, b: Ranked): boolean {
  const at = records.get(a.row)?.updatedAt ?? 0
  const other = records.get(b.row)?.updatedAt ?? 0
  return at === other ? compareCodePoints(a.id, b.id) > 0 : at > other
}
