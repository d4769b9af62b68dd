/** The linked channel: records that are linked to the first hits of an answer. Only `assemble` uses it. */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import { depthOf } from './few/breadth.ts'
import { type KeyParts, selectTopOfEach } from './key-parts.ts'

export interface LinkedHits {
  readonly strengths: ReadonlyMap<number, number>
  readonly plan: ChannelPlan
}

export function gatherLinked(plan: QueryPlan, store: Store, scopeKeys: KeySet | null, parts: KeyParts): LinkedHits {
  const depth = depthOf(plan, 'linked')
  if (plan.linked === null || depth === 0) {
    const why = depth === 0 ? 'the policy does not use it' : 'nothing is linked that was asked for'
    return { strengths: new Map(), plan: { ran: false, why, scanned: 0, matched: 0, complete: true } }
  }
  const strengths = new Map<number, number>()
  for (const [id, strength] of plan.linked) {
    const key = store.keyOf(id)
    if (key !== undefined && (scopeKeys === null || holdsKey(scopeKeys, key))) strengths.set(key, strength)
  }
  const strengthOf = (key: number) => strengths.get(key) ?? 0
  const best = selectTopOfEach(Uint32Array.from(strengths.keys()), parts, strengthOf, depth, store)
  return {
    strengths: new Map(Array.from(best, (key) => [key, strengthOf(key)])),
    plan: {
      ran: true,
      mode: 'exact',
      scanned: plan.linked.size,
      matched: strengths.size,
      complete: best.length === strengths.size,
    },
  }
}
