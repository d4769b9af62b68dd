/**
 * Computes convex scores: the sum of the signals in table order, at an exact cosine or at its bounds. A policy may add what
 * adjacent records of the same session share.
 */

import type { FactNeeds } from '../model/fact-needs.ts'
import type { Facts } from '../model/facts.ts'
import type { ConvexPolicy } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Contribution } from '../model/result.ts'
import { scoreBounds } from '../order/bounds.ts'
import { backgroundOf, meaningWeight } from '../signals/meaning.ts'
import type { Signal, SignalContext } from '../signals/signal.ts'
import { signals } from '../signals/signals.ts'
import { anyShare, type Neighbourhood, neighbourhoodOf, withNeighbours } from './neighbours.ts'
import type { Scoring } from './scoring.ts'

export function convexNeeds(policy: ConvexPolicy): Partial<FactNeeds> {
  const { fusion, lexical, recency, learned } = policy
  return {
    numbers: [
      ...(recency === 0 ? [] : (['updatedAt'] as const)),
      ...(learned.decay === 0 ? [] : (['touchedAt'] as const)),
      ...(learned.confidence === 0 ? [] : (['confidence'] as const)),
      ...(learned.access === 0 ? [] : (['accesses'] as const)),
    ],
    sessions: anyShare(fusion.neighbours),
    reasons: true,
    pairs: (fusion.pairs ?? 0) !== 0,
    allMatches: true,
    summedWeights: policy,
    // Policies that reproduce another library read no typos.
    typos: lexical.units === 'words' && lexical.statistics === 'scope',
    times: (fusion.time ?? 0) !== 0,
  }
}

export function scoreConvex(plan: QueryPlan, policy: ConvexPolicy, facts: Facts, eligible: Int32Array): Scoring {
  const { context, used, weights, scoreAt, givenAt } = summands(plan, policy, facts)
  const { candidates } = facts
  const own = scoreBounds(candidates, eligible, scoreAt)
  const near = neighbourhoodOf(policy.fusion.neighbours, candidates, eligible)
  if (near === null) return { bounds: own, cut: [], contributions: contributionsOf }
  const bounds = withNeighbours(own, near, candidates, givenAt)
  return {
    bounds,
    cut: [],
    contributions: (row) => [...contributionsOf(row), ...fromNeighbours(near, bounds.given, candidates.ids, row)],
  }

  function contributionsOf(row: number): readonly Contribution[] {
    return used.flatMap((signal, i) => {
      const value = signal.value(context, row, candidates.cosineLow[row]!)
      const weight = weights[i]!
      const amount = value * weight
      return amount === 0
        ? []
        : [{ signal: signal.name, value, weight, amount, reason: signal.reason(value, context, row) }]
    })
  }
}

/** By row; −Infinity and 0 for rows that must not be selected. */
export interface OwnBounds {
  /** Upper bounds of scores without neighbours. */
  readonly own: Float64Array
  /** Upper bounds of the shares that a row gives to its neighbours. */
  readonly given: Float64Array
}

/** Bounds from a part of the candidates, for choosing the others. */
export function ownBounds(plan: QueryPlan, policy: ConvexPolicy, facts: Facts, eligible: Int32Array): OwnBounds {
  const { scoreAt, givenAt } = summands(plan, policy, facts)
  const { candidates } = facts
  const given = new Float64Array(candidates.length)
  for (const row of eligible) given[row] = givenAt(row, candidates.cosineHigh[row]!)
  return { own: scoreBounds(candidates, eligible, scoreAt).high, given }
}

function summands(plan: QueryPlan, policy: ConvexPolicy, facts: Facts) {
  const context = contextOf(plan, policy, facts)
  const used = signals.filter((signal) => signal.weight(context) !== 0)
  const weights = used.map((signal) => signal.weight(context))
  const isOfQuestion = used.map((signal) => signal.isOfQuestion === true)
  const givenAt = sumOf(
    context,
    used.filter((_, i) => isOfQuestion[i]),
    weights.filter((_, i) => isOfQuestion[i]),
  )
  return { context, used, weights, scoreAt: sumOf(context, used, weights), givenAt }
}

/** The sum of the signals at a cosine, in order. */
function sumOf(context: SignalContext, used: readonly Signal[], weights: readonly number[]) {
  return (row: number, cosine: number) => {
    let sum = 0
    for (let i = 0; i < used.length; i++) {
      sum += used[i]!.value(context, row, cosine) * weights[i]!
    }
    return sum
  }
}

/** One summand for all adjacent records, with the same sum as the score. Its reason names those that add most. */
function fromNeighbours(
  near: Neighbourhood,
  given: Float64Array,
  ids: readonly string[],
  row: number,
): readonly Contribution[] {
  const value = near.sum(row, given)
  if (value === 0) return []
  const parts = near
    .of(row)
    .map(({ row: from, distance, weight }) => ({ from, distance, amount: weight * given[from]! }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount || a.distance - b.distance)
  const named = parts.slice(0, mostNamed).map(({ from, distance, amount }) => {
    const away = `${Math.abs(distance)} ${distance < 0 ? 'before' : 'after'}`
    return `${ids[from]} (${away}, ${amount.toFixed(2)})`
  })
  const more = parts.length > mostNamed ? ` and ${parts.length - mostNamed} more` : ''
  const reason = `close to matching records of its session: ${named.join(', ')}${more}`
  return [{ signal: 'neighbours', value, weight: 1, amount: value, reason }]
}

/** Adjacent records that a reason names. */
const mostNamed = 2

function contextOf(plan: QueryPlan, policy: ConvexPolicy, facts: Facts): SignalContext {
  const { fusion } = policy
  return {
    policy,
    fusion,
    facts,
    candidates: facts.candidates,
    channels: facts.channels,
    now: plan.now,
    times: plan.times ?? [],
    background: backgroundOf(facts.vector, fusion.meaning),
    meaningWeight: meaningWeight(facts.lexical, facts.vector, fusion.meaning),
  }
}
