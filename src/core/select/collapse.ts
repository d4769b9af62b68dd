/**
 * Collapsing: records with the content of a better one are folded into it, wherever they rank, and the answer takes the
 * best of each content up to the limit. Records of different authority tiers are never folded (law S2).
 */
import type { Facts } from '../fusion/facts.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { Ranked } from '../rank/order.ts'
import type { Loss } from './losses.ts'

export interface Collapsed {
  readonly selected: readonly Ranked[]
  readonly collapsed: ReadonlyMap<number, readonly string[]>
  readonly folded: readonly Loss[]
}

/**
 * `ranked`: in ranking order, every one read: all candidates whose score reaches the floor, and with them every one of
 * the same content. Those below the floor can be folded, but not taken: better ones may not be among them.
 */
export function collapse(plan: QueryPlan, facts: Facts, ranked: readonly Ranked[], floor: number): Collapsed {
  const mode = plan.query.collapse ?? plan.policy.collapse
  if (mode === 'none') {
    const certain = ranked.filter(({ score }) => score >= floor)
    return { selected: certain.slice(0, plan.limit), collapsed: new Map(), folded: [] }
  }
  const selected: Ranked[] = []
  const collapsed = new Map<number, string[]>()
  const folded: Loss[] = []
  const kept = new Map<string, Ranked>()
  for (const entry of ranked) {
    const record = facts.records.get(entry.row)
    const content = `${record?.contentHash} ${record?.authorityTier ?? ''}`
    const better = kept.get(content)
    if (better === undefined) {
      if (selected.length === plan.limit || entry.score < floor) continue
      selected.push(entry)
      kept.set(content, entry)
      continue
    }
    collapsed.set(better.row, [...(collapsed.get(better.row) ?? []), entry.id])
    folded.push({ row: entry.row, reason: `same content as ${better.id}`, stage: 'collapse', score: entry.score })
  }
  return { selected, collapsed, folded }
}
