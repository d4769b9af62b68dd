/**
 * Answers from few candidates: those to which the words, or the vector, of the query add most. Most answers have ten records of
 * thousands that match, so scoring all of them is wasted. If the proof fails, the caller gathers all candidates [L1].
 */

import { type Decision, presenting } from '../../../src/core/decide.ts'
import { convexCeiling } from '../../../src/core/fusion/convex-ceiling.ts'
import { type ConvexPolicy, isConvex } from '../../../src/core/model/policy.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import { asksForLedger } from '../../../src/core/select/asks-for-ledger.ts'
import { quotaOf } from '../../../src/core/select/quota.ts'
import { type Selection, select } from '../../../src/core/select/select.ts'
import type { Breadth } from '../../retrieval/breadth.ts'
import { certificate } from '../../retrieval/certificate.ts'
import { type Gathering, gather } from '../../retrieval/gather.ts'
import type { Ports } from '../common/ports.ts'

const first: Breadth = { matches: 96, leastText: Number.POSITIVE_INFINITY, nearest: 96 }

/** With fewer places to fill, few candidates are enough. */
const mostPlaces = 50

/** The answer, or null if it needs all candidates. Call it inside one read transaction. */
export function answerFirst(plan: QueryPlan, ports: Ports): Decision | null {
  const { policy } = plan
  if (!isConvex(policy) || !canBeNarrow(plan, ports)) return null
  for (let breadth: Breadth | null = first; breadth !== null; ) {
    const gathering = gather(plan, ports, breadth)
    const selection = selectAmong(gathering)
    if (certificate.holds(policy, plan.query, gathering.facts, selection, gathering.omitted()))
      return present(gathering, selection)
    breadth = breadth === first ? wider(policy, gathering, selection) : null
  }
  return null
}

function canBeNarrow(plan: QueryPlan, { store, index }: Ports): boolean {
  // The best of the reserved records need not be among the best of all.
  if (plan.query.reserve !== undefined) return false
  if (asksForLedger(plan) || plan.listing || plan.linked !== null || plan.files.length > 0) return false
  if (plan.offset + plan.limit > mostPlaces || quotaOf(plan) !== null) return false
  if (index !== null && index.kind !== 'exact') return false
  // What neighbours add comes from records that need not be among the best themselves.
  return !(plan.needs.sessions && store.sessions() !== null)
}

/** What is enough if the floor of the selection is right, which it is at least: more candidates only raise it. */
function wider(policy: ConvexPolicy, { plan, facts, omitted }: Gathering, { floor }: Selection): Breadth | null {
  const known = omitted()
  if (known === null || known.text === Number.POSITIVE_INFINITY || floor === Number.NEGATIVE_INFINITY) return null
  const withoutText = convexCeiling(policy, plan.query, facts, { ...known, text: 0 })
  if (withoutText < floor) return { ...first, leastText: (floor - withoutText) * (1 - 1e-6) }
  return { matches: 5 * first.matches, leastText: Number.POSITIVE_INFINITY, nearest: 5 * first.nearest }
}

function selectAmong(gathering: Gathering): Selection {
  const steps = select(gathering.plan, gathering.facts)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    gathering.read(step.value.need)
  }
}

function present(gathering: Gathering, selection: Selection): Decision | null {
  const { plan } = gathering
  const steps = presenting(plan, gathering.facts, selection)
  let step = steps.next()
  for (; !step.done; step = steps.next()) gathering.read(step.value.need)
  const { hits, ...decision } = step.value
  const ranked = hits.map((hit, i) => withLexicalRank(hit, gathering.lexicalRank(selection.selected[i]!.row)))
  // Beyond the depth of the policy, ranks are counted among all candidates, which are not here.
  if (ranked.some(({ ranks }) => (ranks.lexical ?? 0) > plan.policy.depths.lexical)) return null
  return { hits: ranked, ...decision }
}

/** Few candidates do not show how many records have better words. */
function withLexicalRank(hit: Hit, rank: number | null): Hit {
  return hit.ranks.lexical === undefined || rank === null ? hit : { ...hit, ranks: { ...hit.ranks, lexical: rank } }
}
