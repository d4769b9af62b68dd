/** The recent channel: lists the scope, or the records of the times named, newest first, when the query asks for nothing else. */

import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Store } from '../store/port/store.ts'
import type { EventWindows } from './event-windows.ts'
import type { KeyParts } from './key-parts.ts'

export interface RecentHits {
  /** Newest first. */
  readonly keys: readonly number[]
  readonly plan: ChannelPlan
}

export function gatherRecent(
  plan: QueryPlan,
  store: Store,
  { closed, files }: KeyParts,
  absent: string | null,
  windows: EventWindows | null,
): RecentHits {
  const depth = plan.policy.depths.recent
  if (!plan.listing || depth === 0 || absent !== null) {
    const why = absent ?? (plan.listing ? 'the policy does not use it' : 'the query says what it wants')
    return { keys: [], plan: { ran: false, why, scanned: 0, matched: 0, complete: true } }
  }
  const inside = plan.timesAlone === true ? windows!.inside() : null
  const matched = inside?.length ?? store.count(plan.scope)
  // With a files filter, any number of the newest records may be outside it.
  const newest = inside ?? store.recent(plan.scope, files === null ? depth + closed.size : matched)
  const counts = { open: 0, outside: 0, closed: 0 }
  const keys = newest.filter((key) => {
    const part = closed.has(key) ? 'closed' : files === null || files.has(key) ? 'open' : 'outside'
    return counts[part]++ < depth
  })
  return {
    keys,
    plan: { ran: true, mode: 'exact', scanned: newest.length, matched, complete: keys.length === matched },
  }
}
