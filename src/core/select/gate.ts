/** Applies the gates: reasons that exclude a candidate from this query, whatever its score. The ledger shows them. */
import type { CandidateTable, Facts, GateFacts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Rejected } from '../order/rejected.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** The eligible rows, and the gated ones with their reasons. */
export function gateRows(
  plan: QueryPlan,
  { candidates, gates }: Facts,
): { readonly eligible: Int32Array; readonly gated: readonly Rejected[] } {
  const excluded = new Set(plan.query.exclude ?? [])
  const eligible = new Int32Array(candidates.length)
  const gated: Rejected[] = []
  let length = 0
  for (let row = 0; row < candidates.length; row++) {
    const isExcluded = excluded.size > 0 && excluded.has(candidates.ids[row]!)
    const heldBack = candidates.without?.[row] ?? 0
    const reason = isExcluded
      ? excludedReason
      : heldBack > 0
        ? plan.without![heldBack - 1]!.reason
        : (gateReason(plan, gates.get(row)) ?? (isOnlyNear(plan, candidates, row) ? unmatchedReason : null))
    if (reason === null) eligible[length++] = row
    else gated.push({ row, reason, stage: 'gate', score: 0 })
  }
  return { eligible: eligible.subarray(0, length), gated: byId(candidates.ids, gated) }
}

/** Whether the query asks for matches alone, and the record is none: it is near by meaning, linked, or next to one. */
function isOnlyNear({ query, listing }: QueryPlan, candidates: CandidateTable, row: number): boolean {
  if (query.matching !== 'only' || listing) return false
  const { matched, terms, paths, time, sources } = candidates
  const columns = [matched, terms, paths, time?.share, ...Object.values(sources ?? {})]
  return columns.every((column) => !(column !== undefined && column[row]! > 0))
}

/** The eligible rows that the `files` filter excludes. */
export function outsideFiles({ candidates: { files, ids } }: Facts, eligible: Int32Array): readonly Rejected[] {
  const outside = Array.from(eligible.filter((row) => files?.[row] !== 1))
  return byId(
    ids,
    outside.map((row): Rejected => ({ row, reason: outsideReason, stage: 'gate', score: 0 })),
  )
}

/** Rows are in the order in which records were inserted, which must not change the answer [D3]. */
function byId(ids: readonly string[], rejected: readonly Rejected[]): readonly Rejected[] {
  return rejected.toSorted((a, b) => compareCodePoints(ids[b.row]!, ids[a.row]!))
}

export const excludedReason = 'excluded by the query'
export const unmatchedReason = 'holds no word of the query'
export const outsideReason = 'of none of the files asked for'

/** The reason why a gate excludes a record from this query; null if none does. */
export function gateReason(plan: QueryPlan, facts: GateFacts | undefined): string | null {
  if (facts === undefined) return null
  const { gateStatus, gateCodes, riskGate } = plan.policy
  // Nearly no record has codes.
  const code = facts.codes.length === 0 ? undefined : gateCodes.find((gated) => facts.codes.includes(gated))
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

/** Whether the scope names this status: then records of the status are not gated. */
function asksFor(plan: QueryPlan, status: string): boolean {
  const wanted = plan.scope.status
  return (
    wanted !== undefined &&
    (typeof wanted === 'string' ? wanted === status : (wanted as readonly string[]).includes(status))
  )
}
