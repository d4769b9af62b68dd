/** The recent channel: lists the scope, newest first, when the query gives neither text nor vector. */
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Store } from '../store/port.ts'
import type { ClosedKeys } from './closed-keys.ts'

export interface RecentHits {
  /** Newest first. */
  readonly keys: readonly number[]
  readonly plan: ChannelPlan
}

export function gatherRecent(plan: QueryPlan, store: Store, closed: ClosedKeys): RecentHits {
  if (!plan.listing) {
    return {
      keys: [],
      plan: { ran: false, why: 'the query says what it wants', scanned: 0, matched: 0, complete: true },
    }
  }
  const matched = store.count(plan.scope)
  const depth = plan.policy.depths.recent
  const newest = store.recent(plan.scope, depth + closed.size)
  let open = 0
  const keys = newest.filter((key) => closed.has(key) || open++ < depth)
  return {
    keys,
    plan: { ran: true, mode: 'exact', scanned: newest.length, matched, complete: keys.length === matched },
  }
}
