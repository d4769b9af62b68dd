/**
 * The substring sources of a staged policy: records that contain the query, or a path token of it, in a text or path or as
 * an extracted term. They replace the terms and paths channels.
 */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import type { KeySet, Store, SubstringHits } from '../store/port/store.ts'

export interface SourceHits {
  readonly substrings: SubstringHits
  readonly terms: ReadonlyMap<number, number>
  readonly termsPlan: ChannelPlan
  readonly pathsPlan: ChannelPlan
}

/** Null for policies without stages, and for a query without text. */
export function gatherSources(plan: QueryPlan, store: Store, scopeKeys: KeySet | null): SourceHits | null {
  const { query, terms } = plan.runs
  if (!plan.needs.substrings || query === '') return null
  const substrings = countedIn(plan.fields, store.substrings(query, terms, scopeKeys))
  const strengths = new Map<number, number>()
  const add = (folded: readonly string[], strength: number) => {
    for (const [key, count] of store.keysByTerm(folded)) {
      if (scopeKeys !== null && !holdsKey(scopeKeys, key)) continue
      strengths.set(key, (strengths.get(key) ?? 0) + count * strength)
    }
  }
  if (plan.fields?.includes('terms') ?? true) {
    add([query], tuning.termStrength.query)
    add(terms, tuning.termStrength.term)
  }
  const complete = (scanned: number): ChannelPlan => ({
    ran: true,
    mode: 'exact',
    scanned,
    matched: scanned,
    complete: true,
  })
  let withPath = 0
  for (const strength of substrings.paths) if (strength > 0) withPath++
  return { substrings, terms: strengths, termsPlan: complete(strengths.size), pathsPlan: complete(withPath) }
}

const sources = ['instruction', 'body', 'command', 'paths'] as const

/** The hits in these fields; undefined: in all of them. */
function countedIn(fields: QueryPlan['fields'], hits: SubstringHits): SubstringHits {
  if (fields === undefined) return hits
  const counted = sources.filter((source) => fields.includes(source))
  const isFound = hits.keys.map((_, i) => (counted.some((source) => hits[source][i]! > 0) ? 1 : 0))
  const column = (source: (typeof sources)[number]) =>
    hits[source].map((strength) => (counted.includes(source) ? strength : 0)).filter((_, i) => isFound[i] === 1)
  return {
    keys: hits.keys.filter((_, i) => isFound[i] === 1),
    instruction: column('instruction'),
    body: column('body'),
    command: column('command'),
    paths: column('paths'),
  }
}
