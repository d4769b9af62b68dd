/** The terms and paths channels: look up the names in the query exactly. */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import { type KeyParts, selectTopOfEach } from './key-parts.ts'

export interface ReferenceHits {
  readonly strengths: ReadonlyMap<number, number>
  readonly plan: ChannelPlan
}

export function gatherReferences(
  named: readonly string[],
  lookUp: (named: readonly string[]) => ReadonlyMap<number, number>,
  depth: number,
  scopeKeys: KeySet | null,
  parts: KeyParts,
  store: Store,
  /** Why the channel cannot find anything; null otherwise. */
  absent: string | null,
): ReferenceHits {
  if (named.length === 0 || depth === 0 || absent !== null) {
    const names = named.length === 0 ? 'the query names none' : (absent ?? '')
    const why = depth === 0 ? 'the policy does not use it' : names
    return { strengths: new Map(), plan: { ran: false, why, scanned: 0, matched: 0, complete: true } }
  }
  const strengths = lookUp(named)
  const matching = Uint32Array.from(
    [...strengths.keys()].filter((key) => scopeKeys === null || holdsKey(scopeKeys, key)),
  )
  const strengthOf = (key: number) => strengths.get(key) ?? 0
  const best = selectTopOfEach(matching, parts, strengthOf, depth, store)
  return {
    strengths: new Map(Array.from(best, (key) => [key, strengthOf(key)])),
    plan: {
      ran: true,
      mode: 'exact',
      scanned: strengths.size,
      matched: matching.length,
      complete: best.length === matching.length,
    },
  }
}
