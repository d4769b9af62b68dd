/**
 * Answers from few candidates: those to which the words, or the vector, of the query add most. Most answers show ten records of
 * thousands that match, so scoring all of them is wasted. If the certificate does not hold, the caller gathers all [L1].
 */

import { type Decision, asksForLedger, presenting } from '../../../src/core/decide.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import { isConvex } from '../../../src/core/model/policy.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { quotaOf } from '../../../src/core/select/quota.ts'
import { select } from '../../../src/core/select/select.ts'
import { certificate } from '../../retrieval/certificate.ts'
import { type Gathering, gather } from '../../retrieval/gather.ts'
import { keyParts } from '../../retrieval/key-parts.ts'
import type { Ports } from '../common/ports.ts'

/** Candidates of each channel in the first try, and in the second. */
const breadths = [96, 480]

/** Above so many places, nearly all candidates are needed. */
const mostPlaces = 50

/** The answer, or null if it needs all candidates. Call it inside one read transaction. */
export function answerFirst(plan: QueryPlan, ports: Ports): Decision | null {
  if (!canBeNarrow(plan, ports)) return null
  for (const breadth of breadths) {
    const decision = decideAmong(plan, gather(plan, ports, breadth))
    if (decision !== null) return decision
  }
  return null
}

function canBeNarrow(plan: QueryPlan, { store, index }: Ports): boolean {
  if (!isConvex(plan.policy) || asksForLedger(plan) || plan.listing) return false
  if (plan.offset + plan.limit > mostPlaces || quotaOf(plan) !== null || plan.linked !== null) return false
  if (index !== null && index.kind !== 'exact') return false
  // What neighbours add comes from records that need not be among the best themselves.
  if (plan.needs.sessions && store.sessions() !== null) return false
  const { closed, files } = keyParts(plan, store)
  return closed.size === 0 && files === null
}

function decideAmong(plan: QueryPlan, gathering: Gathering): Decision | null {
  const { facts } = gathering
  const selecting = select(plan, facts)
  let step = selecting.next()
  for (; !step.done; step = selecting.next()) gathering.read(step.value.need)
  const selection = step.value
  const presentingSteps = presenting(plan, facts, selection)
  let shown = presentingSteps.next()
  for (; !shown.done; shown = presentingSteps.next()) gathering.read(shown.value.need)
  if (!certificate.holds(plan, facts, selection, gathering.beyond())) return null
  const { hits } = shown.value
  const ranked = hits.map((hit, i) => withLexicalRank(hit, gathering.lexicalRank(selection.selected[i]!.row)))
  // A rank beyond the depth of the policy is counted among the candidates, which are not all here.
  if (ranked.some(({ ranks }) => (ranks.lexical ?? 0) > plan.policy.depths.lexical)) return null
  return { ...shown.value, hits: ranked }
}

/** Few candidates do not show how many records have better words. */
function withLexicalRank(hit: Hit, rank: number | null): Hit {
  return hit.ranks.lexical === undefined || rank === null ? hit : { ...hit, ranks: { ...hit.ranks, lexical: rank } }
}
