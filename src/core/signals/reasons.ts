/** Why the record matters by its reason codes: Σ weight of the code × factor of its category × weight of the row, bounded. */
import type { ReasonFact } from '../model/facts.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import { reasonCodes } from '../model/reason-codes.ts'
import type { Signal } from './signal.ts'

export const reasons: Signal = {
  name: 'reasons',
  value: ({ facts, policy }, row) => boundedReasons(facts.reasons.get(row) ?? [], policy),
  weight: ({ facts }) => (facts.reasons.size === 0 ? 0 : 1),
  reason: (_value, { facts, policy }, row) =>
    `reasons: ${(facts.reasons.get(row) ?? []).map((reason) => `${reason.code} ${amountOf(reason, policy).toFixed(2)}`).join(', ')}`,
}

export function boundedReasons(reasons: readonly ReasonFact[], policy: ConvexPolicy): number {
  let sum = 0
  for (const reason of reasons) sum += amountOf(reason, policy)
  return Math.min(policy.reasonBound, Math.max(-policy.reasonBound, sum))
}

function amountOf({ code, weight }: ReasonFact, { reasonWeights, categoryFactor }: ConvexPolicy): number {
  return reasonWeights[code] * categoryFactor[reasonCodes[code].category] * weight
}
