/** Gates: reasons a candidate must not be selected for this query, whatever its score. The record stays observable. */
import type { GateFacts } from '../fusion/facts.ts'
import type { QueryPlan } from '../query/plan-query.ts'

/** The reason a candidate is kept out, or null. */
export function gateReason(plan: QueryPlan, id: string, facts: GateFacts | undefined): string | null {
  if (plan.query.exclude?.includes(id)) return 'excluded by the query'
  if (facts === undefined || !plan.policy.gateStatus) return null
  const asked = asksFor(plan, facts.status)
  if (facts.status === 'superseded' && !asked)
    return facts.supersededBy === null ? 'superseded' : `superseded by ${facts.supersededBy}`
  if (facts.status === 'deprecated' && !asked)
    return facts.supersededBy === null ? 'deprecated' : `deprecated in favour of ${facts.supersededBy}`
  const at = plan.query.asOf ?? plan.now
  if (facts.expiresAt !== null && facts.expiresAt <= at) return 'expired'
  if (facts.validUntil !== null && facts.validUntil <= at) return 'no longer valid'
  if (facts.validFrom !== null && facts.validFrom > at) return 'not yet valid'
  return null
}

/** A scope that names a status asks for such records. */
function asksFor(plan: QueryPlan, status: string): boolean {
  const wanted = plan.scope.status
  return (
    wanted !== undefined &&
    (typeof wanted === 'string' ? wanted === status : (wanted as readonly string[]).includes(status))
  )
}
