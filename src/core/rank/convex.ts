/** Convex fusion: the sum of the signals' amounts in table order, at a known cosine or at its bounds. */
import type { Facts } from '../fusion/facts.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import { backgroundOf, meaningWeight } from '../signals/meaning.ts'
import type { Signal, SignalContext } from '../signals/signal.ts'
import { signals } from '../signals/signals.ts'
import { scoreBounds } from './bounds.ts'
import type { Scoring } from './scoring.ts'

export function scoreConvex(plan: QueryPlan, policy: ConvexPolicy, facts: Facts, open: Int32Array): Scoring {
  const context = contextOf(plan, policy, facts)
  const { candidates } = facts
  const asked = signals.filter((signal) => signal.weight(context) !== 0)
  const weights = asked.map((signal) => signal.weight(context))
  const scoreAt = (row: number, cosine: number) => {
    let sum = 0
    for (let i = 0; i < asked.length; i++) {
      sum += (asked[i] as Signal).value(context, row, cosine) * (weights[i] as number)
    }
    return sum
  }
  return {
    bounds: scoreBounds(candidates, open, scoreAt),
    cut: [],
    contributions: (row) =>
      asked
        .map((signal, i) => {
          const value = signal.value(context, row, candidates.cosineLow[row] as number)
          const weight = weights[i] as number
          return {
            signal: signal.name,
            value,
            weight,
            amount: value * weight,
            reason: signal.reason(value, context, row),
          }
        })
        .filter(({ amount }) => amount !== 0),
  }
}

function contextOf(plan: QueryPlan, policy: ConvexPolicy, facts: Facts): SignalContext {
  const { fusion } = policy
  return {
    policy,
    fusion,
    facts,
    candidates: facts.candidates,
    channels: facts.channels,
    now: plan.now,
    background: backgroundOf(facts.vector, fusion.meaning),
    meaningWeight: meaningWeight(facts.lexical, facts.vector, fusion.meaning),
  }
}
