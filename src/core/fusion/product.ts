/**
 * Computes scores by product: cosine × decay by age × importance (docs/spec/ranking.md#product-fusion). Each factor is reported as the
 * change it makes, so the score is a sum. Without a vector channel, the lexical score replaces the cosine.
 */

import type { FactNeeds } from '../model/fact-needs.ts'
import type { CandidateTable, Facts } from '../model/facts.ts'
import type { ProductPolicy } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Contribution } from '../model/result.ts'
import { exp } from '../number/exp.ts'
import { log } from '../number/log.ts'
import { scoreBounds } from '../order/bounds.ts'
import { percent } from '../signals/lexical.ts'
import { dayMs } from '../signals/recency.ts'
import type { Scoring } from './scoring.ts'

export function productNeeds({ lifeDays, lifeDaysByTag }: ProductPolicy): Partial<FactNeeds> {
  return { numbers: ['createdAt', 'importance', 'accesses'], lifeDays: { byDefault: lifeDays, byTag: lifeDaysByTag } }
}

export function scoreByProduct(plan: QueryPlan, policy: ProductPolicy, facts: Facts, eligible: Int32Array): Scoring {
  const { candidates, channels } = facts
  const fading = fadingOf(plan, policy, candidates)
  const amounts = (row: number, cosine: number) => {
    const base = baseOf(facts, row, cosine)
    const faded = base * fading[row]!
    const importance = policy.decay ? (candidates.importance?.[row] ?? 1) : 1
    return [base, faded - base, faded * importance - faded] as const
  }
  const contributions = (row: number): readonly Contribution[] => {
    const cosine = candidates.cosineLow[row]!
    const [base, fade, lift] = amounts(row, cosine)
    const list: Contribution[] = [
      channels.vector.ran
        ? { signal: 'cosine', value: base, weight: 1, amount: base, reason: `cosine ${base.toFixed(2)}` }
        : channels.recent.ran
          ? {
              signal: 'recent',
              value: base,
              weight: 1,
              amount: base,
              reason: `number ${Math.round(1 / base)} by time of change`,
            }
          : {
              signal: 'lexical',
              value: base,
              weight: 1,
              amount: base,
              reason: `words match at ${percent(base)} of the best possible`,
            },
      {
        signal: 'decay',
        value: fade,
        weight: 1,
        amount: fade,
        reason: `faded to ${percent(fading[row]!)} by age`,
      },
      {
        signal: 'importance',
        value: lift,
        weight: 1,
        amount: lift,
        reason: `importance ${candidates.importance?.[row] ?? 1}`,
      },
    ]
    return list.filter(({ amount }) => amount !== 0)
  }
  return {
    bounds: scoreBounds(candidates, eligible, (row, cosine) => {
      const [base, fade, lift] = amounts(row, cosine)
      return base + fade + lift
    }),
    cut: [],
    contributions,
  }
}

function baseOf({ candidates, channels }: Facts, row: number, cosine: number): number {
  if (channels.vector.ran) return Number.isNaN(cosine) ? 0 : cosine
  const recent = candidates.recent[row]!
  return recent === 0 ? candidates.lexical[row]! : 1 / recent
}

/** min(1, exp(−age / H) × (1 + ln(1 + accesses))) by row; a time in the future counts as now. */
function fadingOf(plan: QueryPlan, { decay }: ProductPolicy, candidates: CandidateTable): Float64Array {
  const { length, createdAt, accesses, lifeDays } = candidates
  const fading = new Float64Array(length).fill(1)
  if (!decay || createdAt === null || lifeDays === null) return fading
  for (let row = 0; row < length; row++) {
    const ageDays = Math.max(0, plan.now - createdAt[row]!) / dayMs
    const decay = exp(-ageDays / lifeDays[row]!)
    fading[row] = Math.min(1, decay * (1 + log(1 + (accesses?.[row] ?? 0))))
  }
  return fading
}
