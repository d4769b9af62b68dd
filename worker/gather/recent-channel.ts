/** The recent channel: lists the scope, newest first, when the query gives neither text nor vector. */
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Store } from '../store/port.ts'

export interface RecentHits {
  /** Newest first. */
  readonly keys: readonly number[]
  readonly plan: ChannelPlan
}

export function gatherRecent(plan: QueryPlan, store: Store): RecentHits {
  if (!plan.listing) {
    return {
      keys: [],
      plan: { ran: false, why: 'the query says what it wants', scanned: 0, matched: 0, complete: true },
    }
  }
  const matched = store.count(plan.scope)
  const keys = store.recent(plan.scope, plan.policy.depths.recent)
  return {
    keys,
    plan: { ran: true, mode: 'exact', scanned: keys.length, matched, complete: keys.length === matched },
  }
}
