/** The anchors channel: records of the preferred project, kind or topic, newest first. */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import { selectTop } from '../../src/core/collections/select-top.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import { depthOf } from './few/breadth.ts'
import { type KeyParts, partition } from './key-parts.ts'

export type Preferences = Readonly<Record<'project' | 'kind' | 'topic', KeySet | null>>

export interface AnchorHits {
  readonly keys: readonly number[]
  /** Number of preferred fields the record has. */
  readonly strength: (key: number) => number
  readonly plan: ChannelPlan
}

/** The records of each preferred field in the whole store; null if the query prefers none. */
export function preferencesOf({ query }: QueryPlan, store: Store): Preferences | null {
  const { project, kind, topic } = query.prefer ?? {}
  if (project === undefined && kind === undefined && topic === undefined) return null
  return {
    project: project === undefined ? null : store.scopeKeys({ project }),
    kind: kind === undefined ? null : store.scopeKeys({ kind }),
    topic: topic === undefined ? null : store.scopeKeys({ topic }),
  }
}

export function gatherAnchors(
  plan: QueryPlan,
  store: Store,
  preferences: Preferences | null,
  scopeKeys: KeySet | null,
  parts: KeyParts,
): AnchorHits {
  const depth = depthOf(plan, 'anchors')
  if (preferences === null || depth === 0) {
    const why = preferences === null ? 'the query prefers none' : 'the policy lets preferences boost, not find'
    return { keys: [], strength: () => 0, plan: { ran: false, why, scanned: 0, matched: 0, complete: true } }
  }
  const fields = Object.values(preferences).filter((field) => field !== null)
  const strength = (key: number) => fields.filter((field) => holdsKey(field, key)).length
  const preferred = new Set<number>()
  for (const field of fields)
    for (const key of field.keys) if (scopeKeys === null || holdsKey(scopeKeys, key)) preferred.add(key)
  const updatedAt = store.numbers('updatedAt')
  const { open, closed } = partition(Uint32Array.from(preferred), parts)
  const keys = [...open, ...closed].flatMap((part) => selectTop(part, (key) => updatedAt[key]!, depth, store.idOf))
  return {
    keys,
    strength,
    plan: {
      ran: true,
      mode: 'exact',
      scanned: preferred.size,
      matched: preferred.size,
      complete: keys.length === preferred.size,
    },
  }
}
