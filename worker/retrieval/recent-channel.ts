/** The recent channel: lists the scope, or the records of the times named, newest first, when the query asks for nothing else. */

import { selectTop } from '../../src/core/collections/select-top.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import type { EventWindows } from './event-windows.ts'
import { depthOf } from './few/breadth.ts'
import type { KeyParts } from './key-parts.ts'

export interface RecentHits {
  /** Newest first. */
  readonly keys: readonly number[]
  /** Whether records of the scope come after these keys. */
  readonly isCut: boolean
  /** Most that recency adds to one of them, before weighting. */
  readonly nextAmount: number
  readonly plan: ChannelPlan
}

export function gatherRecent(
  plan: QueryPlan,
  store: Store,
  scopeKeys: KeySet | null,
  { closed, files }: KeyParts,
  absent: string | null,
  windows: EventWindows | null,
  /** Under a policy without depths: so many of the newest that pass gates and filter, and all that are between them. */
  some: number,
): RecentHits {
  const depth = depthOf(plan, 'recent')
  if (!plan.listing || depth === 0 || absent !== null) {
    const why = absent ?? (plan.listing ? 'the policy does not use it' : 'the query says what it wants')
    return { keys: [], isCut: false, nextAmount: 0, plan: { ran: false, why, scanned: 0, matched: 0, complete: true } }
  }
  const inside = plan.timesAlone === true ? windows!.inside() : null
  const matched = inside?.length ?? store.statistics(scopeKeys).records
  const isDeep = depth === Number.POSITIVE_INFINITY
  const most = isDeep && inside === null ? some : depth
  // With a files filter, any number of the newest records may be outside it.
  const newest = inside ?? newestOf(store, scopeKeys, files === null ? Math.min(matched, most + closed.size) : matched)
  const counts = { open: 0, outside: 0, closed: 0 }
  const partOf = (key: number) => (closed.has(key) ? 'closed' : files === null || files.has(key) ? 'open' : 'outside')
  const keys: number[] = []
  for (const key of newest) {
    const part = partOf(key)
    if (isDeep ? counts.open === most : counts[part] === depth) {
      if (isDeep) break
      continue
    }
    counts[part]++
    keys.push(key)
  }
  return {
    keys,
    isCut: keys.length < matched,
    nextAmount: 1 / (keys.length + 1),
    plan: {
      ran: true,
      mode: 'exact',
      scanned: isDeep ? matched : newest.length,
      matched,
      complete: isDeep || keys.length === matched,
    },
  }
}

/** By (updatedAt, id), both descending. */
function newestOf(store: Store, scopeKeys: KeySet | null, limit: number): number[] {
  if (scopeKeys === null) return store.recent(limit)
  const updatedAt = store.numbers('updatedAt')
  return selectTop(scopeKeys.keys, (key) => updatedAt[key]!, limit, store.idOf).sort(
    (a, b) => updatedAt[b]! - updatedAt[a]! || compareCodePoints(store.idOf(b), store.idOf(a)),
  )
}
