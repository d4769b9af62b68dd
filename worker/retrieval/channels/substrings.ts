/**
 * The substring sources of a staged policy: records that contain the query, or a path token of it, in a text or path or as
 * an extracted term. They replace the terms and paths channels.
 */

import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { ChannelPlan } from '../../../src/core/model/result.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { SubstringHits } from '../../store/port/store.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { Question } from '../question/question.ts'
import { columnOf, constant } from './channel.ts'
import type { referenceChannels } from './references.ts'

/** Null for policies without stages, and for a query without text. */
export function substringChannels(question: Question): ReturnType<typeof referenceChannels> | null {
  const { store, plan, scope } = question
  const { query, terms } = plan.runs
  if (!plan.needs.substrings || query === '') return null
  const substrings = countedIn(plan.fields, store.substrings(query, terms, scope))
  const strengths = strengthsOfTerms(question)
  let withPath = 0
  for (const strength of substrings.paths) if (strength > 0) withPath++
  const none = (rows: CandidateRows) => new Float64Array(rows.keys.length)
  return {
    terms: constant({
      keys: [...strengths.keys()],
      plan: completePlan(strengths.size),
      columns: (rows) => ({ terms: none(rows) }),
    }),
    paths: constant({ keys: [], plan: completePlan(withPath), columns: (rows) => ({ paths: none(rows) }) }),
    sources: constant({
      keys: substrings.keys,
      plan: completePlan(substrings.keys.length),
      columns: (rows) => ({ sources: columnsOf(substrings, strengths, rows) }),
    }),
  }
}

function strengthsOfTerms({ store, plan, isInScope }: Question): ReadonlyMap<number, number> {
  const strengths = new Map<number, number>()
  if (plan.fields?.includes('terms') === false) return strengths
  const add = (folded: readonly string[], strength: number) => {
    for (const [key, count] of store.keysByTerm(folded))
      if (isInScope(key)) strengths.set(key, (strengths.get(key) ?? 0) + count * strength)
  }
  add([plan.runs.query], tuning.termStrength.query)
  add(plan.runs.terms, tuning.termStrength.term)
  return strengths
}

function completePlan(scanned: number): ChannelPlan {
  return { ran: true, mode: 'exact', scanned, matched: scanned, complete: true }
}

function columnsOf(substrings: SubstringHits, terms: ReadonlyMap<number, number>, candidates: CandidateRows) {
  const rows = new Int32Array(substrings.keys.length)
  for (let i = 0; i < rows.length; i++) rows[i] = candidates.rowOf(substrings.keys[i]!)
  const column = (strengths: Float64Array) => {
    const values = new Float64Array(candidates.keys.length)
    for (let i = 0; i < rows.length; i++) values[rows[i]!] = strengths[i]!
    return values
  }
  return {
    terms: columnOf(terms, candidates),
    paths: column(substrings.paths),
    instruction: column(substrings.instruction),
    body: column(substrings.body),
    command: column(substrings.command),
  }
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
