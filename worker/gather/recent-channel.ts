/** The recent channel: lists the scope, newest first, when the query gives neither text nor vector. */
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Store } from '../store/port.ts'

export interface RecentHits {
  readonly keys: readonly number[]
  /** From 1; 0 for a key it did not bring. */
  readonly rank: (key: number) => number
  readonly plan: ChannelPlan
}

export function gatherRecent(plan: QueryPlan, store: Store): RecentHits {
  if (!plan.listing) {
    return {
      keys: [],
      rank: () => 0,
      plan: { ran: false, why: 'the query says what it wants', scanned: 0, matched: 0, complete: true },
    }
  }
  const matched = store.count(plan.scope)
  const keys = store.recent(plan.scope, plan.policy.depths.recent)
  const ranks = new Map(keys.map((key, i) => [key, i + 1]))
  return {
    keys,
    rank: (key) => ranks.get(key) ?? 0,
    plan: { ran: true, mode: 'exact', scanned: keys.length, matched, complete: keys.length === matched },
  }
}
