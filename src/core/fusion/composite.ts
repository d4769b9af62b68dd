/** Computes Popoto's composite score: Σ weight × component of the learned data of a record, and the score of its links (docs/spec/ranking.md#composite-fusion). */
import { type CompositeComponent, compositeComponents } from '../learning/composite-score.ts'
import { cyclicScore } from '../learning/cyclic-score.ts'
import { decayScore } from '../learning/decay-score.ts'
import { priorityOf } from '../learning/write-decision.ts'
import type { FactNeeds } from '../model/fact-needs.ts'
import type { CandidateTable, Facts } from '../model/facts.ts'
import { type CompositePolicy, isComposite, type Policy } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Contribution } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { scoreBounds } from '../order/bounds.ts'
import type { Scoring } from './scoring.ts'

export function compositeNeeds({ fusion }: CompositePolicy): Partial<FactNeeds> {
  return {
    numbers: ['touchedAt', 'confidence', 'writeScore', 'importance', 'accesses'],
    due: fusion.weights.cyclic !== 0,
    // Most records have no learned data, so thousands of scores tie.
    timeOrder: true,
    listsScope: true,
  }
}

/** The weights of a composite policy; null for a policy of another kind. */
export function compositeWeights(policy: Policy): Readonly<Record<CompositeComponent, number>> | null {
  return isComposite(policy) ? policy.fusion.weights : null
}

export function scoreByComposite(
  plan: QueryPlan,
  policy: CompositePolicy,
  facts: Facts,
  eligible: Int32Array,
): Scoring {
  const { candidates } = facts
  const { weights, linked } = policy.fusion
  const used = compositeComponents.filter((component) => weights[component] !== 0)
  const contributions = (row: number): readonly Contribution[] => {
    const parts = used.map((component) => {
      const value = componentOf(component, plan.now, facts, row)
      return {
        signal: component,
        value,
        weight: weights[component],
        amount: weights[component] * value,
        reason: reasonOf[component](value),
      }
    })
    const linkScore = candidates.linked[row]!
    parts.push({
      signal: 'linked' as CompositeComponent,
      value: linkScore,
      weight: linked,
      amount: linked * linkScore,
      reason: `linked to the first records: ${linkScore.toFixed(2)}`,
    })
    return parts.filter(({ amount }) => amount !== 0)
  }
  const scoreOf = (row: number) => {
    let sum = 0
    for (const component of used) sum += weights[component] * componentOf(component, plan.now, facts, row)
    return sum + linked * candidates.linked[row]!
  }
  return { bounds: scoreBounds(candidates, eligible, scoreOf), cut: [], contributions }
}

function componentOf(component: CompositeComponent, now: number, { candidates, due }: Facts, row: number): number {
  if (component === 'confidence') return candidates.confidence?.[row] ?? tuning.startConfidence
  if (component === 'access') return candidates.accesses?.[row] ?? 0
  if (component === 'priority') return priorityOf(candidates.writeScore?.[row] ?? 0)
  const aged = agedAt(candidates, now, row)
  if (component === 'decay') return decayScore(aged)
  const dueFacts = due.get(row)
  if (dueFacts === undefined) return 0
  const { cycles, pressureRate, resolvedAt } = dueFacts
  return cyclicScore({ ...aged, nowMs: now, cycles, pressureRate, lastResolvedMs: resolvedAt })
}

function agedAt({ importance, touchedAt, confidence }: CandidateTable, now: number, row: number) {
  return {
    importance: importance?.[row] ?? 1,
    ageDays: (now - (touchedAt?.[row] ?? now)) / tuning.msPerDay,
    confidence: confidence?.[row] ?? tuning.startConfidence,
  }
}

const reasonOf: Readonly<Record<CompositeComponent, (value: number) => string>> = {
  decay: (value) => `faded to ${value.toFixed(2)}`,
  cyclic: (value) => `due by ${value.toFixed(2)}`,
  confidence: (value) => `trusted at ${value.toFixed(2)}`,
  access: (value) => `read ${value} times`,
  priority: (value) => `of priority: ${value.toFixed(2)}`,
}
