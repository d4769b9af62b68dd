/**
 * Keys that may not be selected for this query (gates, `exclude`). Channels cut without them, or a thousand expired
 * records could hide the one that lives (law Q4); the best of them still come along, so that the ledger can name them.
 */
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import { gateReason } from '../../src/core/select/gate.ts'
import { selectTop } from '../../src/core/sketch/select-top.ts'
import type { Store } from '../store/port.ts'

export type ClosedKeys = ReadonlySet<number>

export function closedKeys(plan: QueryPlan, store: Store): ClosedKeys {
  const closed = new Set<number>()
  for (const [key, facts] of store.gated()) if (gateReason(plan, facts) !== null) closed.add(key)
  for (const id of plan.query.exclude ?? []) {
    const key = store.keyOf(id)
    if (key !== undefined) closed.add(key)
  }
  return closed
}

/** The best `depth` of the open keys and the best `depth` of the closed ones. */
export function selectTopOfEach(
  keys: ArrayLike<number>,
  closed: ClosedKeys,
  scoreOf: (key: number) => number,
  depth: number,
  idOf: (key: number) => string,
): number[] {
  if (closed.size === 0) return selectTop(keys, scoreOf, depth, idOf)
  const open: number[] = []
  const shut: number[] = []
  for (let i = 0; i < keys.length; i++) (closed.has(keys[i] as number) ? shut : open).push(keys[i] as number)
  return selectTop(open, scoreOf, depth, idOf).concat(selectTop(shut, scoreOf, depth, idOf))
}
