/** Gates: reasons a candidate must not be selected for this query, whatever its score. The record stays observable. */
import type { Facts, GateFacts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Loss } from '../order/loss.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Rows that may be selected, and those that may not, with the reason. */
export function gateRows(
  plan: QueryPlan,
  { candidates, gates }: Facts,
): { readonly open: Int32Array; readonly closed: readonly Loss[] } {
  const excluded = new Set(plan.query.exclude ?? [])
  const open = new Int32Array(candidates.length)
  const closed: Loss[] = []
  let length = 0
  for (let row = 0; row < candidates.length; row++) {
    const isExcluded = excluded.size > 0 && excluded.has(candidates.ids[row]!)
    const reason = isExcluded ? excludedReason : gateReason(plan, gates.get(row))
    if (reason === null) open[length++] = row
    else closed.push({ row, reason, stage: 'gate', score: 0 })
  }
  return { open: open.subarray(0, length), closed: byId(candidates.ids, closed) }
}

/** The open rows that are of none of the files asked for. */
export function outsideFiles({ candidates: { files, ids } }: Facts, open: Int32Array): readonly Loss[] {
  const outside = Array.from(open.filter((row) => files?.[row] !== 1))
  return byId(
    ids,
    outside.map((row): Loss => ({ row, reason: outsideReason, stage: 'gate', score: 0 })),
  )
}

/** Rows stand in the order in which records were inserted, which must not show [D3]. */
function byId(ids: readonly string[], losses: readonly Loss[]): readonly Loss[] {
  return losses.toSorted((a, b) => compareCodePoints(ids[b.row]!, ids[a.row]!))
}

export const excludedReason = 'excluded by the query'
export const outsideReason = 'of none of the files asked for'

/** Why what is known of a record keeps it out of this query; null when nothing does. */
export function gateReason(plan: QueryPlan, facts: GateFacts | undefined): string | null {
  if (facts === undefined) return null
  const { gateStatus, gateCodes, riskGate } = plan.policy
  const code = gateCodes.find((gated) => facts.codes.includes(gated))
  if (code !== undefined) return `gated: ${code}`
  if (riskGate === 'exclude' && facts.blocked) return 'gated: a risk that blocks'
  return gateStatus ? statusReason(plan, facts) : null
}

function statusReason(plan: QueryPlan, facts: GateFacts): string | null {
  const { status, supersededBy } = facts
  if (status === 'superseded' && !asksFor(plan, status))
    return supersededBy === null ? 'superseded' : `superseded by ${supersededBy}`
  if (status === 'deprecated' && !asksFor(plan, status))
    return supersededBy === null ? 'deprecated' : `deprecated in favour of ${supersededBy}`
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
