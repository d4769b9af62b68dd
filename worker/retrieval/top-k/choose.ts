/**
 * Chooses the candidates of a budget: the records with the largest upper bounds, and those on which their scores depend. States what the
 * scores of all other records are at most, as in the threshold algorithm (Fagin, Lotem, Naor 2001).
 */
import { selectTop } from '../../../src/core/collections/select-top.ts'
import { ownBounds } from '../../../src/core/fusion/convex.ts'
import { mostShares, withSlack } from '../../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import { asksForLedger } from '../../../src/core/select/asks-for-ledger.ts'
import { gateRows } from '../../../src/core/select/gate.ts'
import { type FoundRecords, isFoundBy, type OpenChannels } from '../channels/channels.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { Question } from '../question/question.ts'
import { neighbourBounds } from './neighbour-bounds.ts'
import type { UnseenBounds } from './proof.ts'
import { largestBounds, upperBoundsOf } from './upper-bounds.ts'

export interface Choice {
  /** The candidates, in sets that may overlap. */
  readonly sets: readonly Iterable<number>[]
  /** Bounds on the records that are left out; null if none is. */
  readonly unseen: UnseenBounds | null
  /** Candidates whose scores are lower bounds. */
  readonly inexact: ReadonlySet<number>
  /** Candidates that the budget names. */
  readonly also: readonly number[]
}

/** Makes facts of a choice. A later call invalidates the rows. */
export type Tabulate = (choice: Choice) => { readonly facts: Facts; readonly rows: CandidateRows }

export type Choose = (found: FoundRecords, budget: CandidateBudget, tabulate: Tabulate) => Choice

export function everyRecord(found: FoundRecords, also: readonly number[]): Choice {
  return {
    sets: [found.lexical.keys, found.times.keys, ...alwaysCandidates(found), also],
    unseen: null,
    inexact: none,
    also,
  }
}

/** Null for a policy whose scores are not sums of bounded amounts. */
export function chooser(question: Question, channels: OpenChannels): Choose | null {
  const { store, plan, parts } = question
  const { summedWeights: policy } = plan.needs
  if (policy === null) return null
  const upper = upperBoundsOf(question, policy, channels)
  const sessions = plan.needs.sessions && !plan.listing ? store.sessions() : null
  const isFound = isFoundBy(question, channels)
  const isEligible = (key: number) => isFound(key) && !parts.filtered.has(key)
  return (found, budget, tabulate) => {
    const best = largestBounds(upper, budget, found.recent)
    const { ceiling } = found.vector
    const cosine = ceiling === Number.NEGATIVE_INFINITY ? ceiling : upper.cosine(ceiling)
    const nearest = cosine + upper.unseen
    const exact = new Set([...budget.also, ...[...(question.reserved ?? []), ...(parts.files ?? [])].filter(isFound)])
    const shown = gatedMatches(question, channels, budget)
    const { also } = budget
    const sets = [best.keys, shown, ...alwaysCandidates(found), exact]
    const score = Math.max(best.ofOthers, nearest)
    if (score === Number.NEGATIVE_INFINITY) return { sets, unseen: null, inexact: none, also }
    const unseen: UnseenBounds = { score: withSlack(score), nearest, cosine: ceiling }
    const own: Choice = { sets, unseen, inexact: none, also }
    if (sessions === null) return own
    const amount = Math.max(best.ofOthers, cosine)
    const boundOf = (key: number) =>
      Math.min(score, upper.text(key) + upper.bonus(key) + Math.max(0, cosine) + upper.unseen)
    const { facts, rows } = tabulate(own)
    const bounds = boundsOf(question, policy, facts)
    const partial = { rows, bounds, sessions, isEligible, boundOf, amount, exact }
    const neighbours = neighbourBounds(policy, partial, budget)
    return {
      sets: [...sets, neighbours.keys],
      unseen: { ...unseen, score: Math.max(withSlack(score + mostShares(policy) * amount), neighbours.score) },
      inexact: neighbours.inexact,
      also,
    }
  }
}

const none: ReadonlySet<number> = new Set()

/** What few records have is a candidate within every budget. */
function alwaysCandidates(found: FoundRecords): readonly Iterable<number>[] {
  const { sources, terms, paths, linked, anchors, vector, recent } = found
  return [sources, terms, paths, linked, anchors, vector, recent].map(({ keys }) => keys)
}

/** A ledger names the best of the gated matches, too; they take no places of the others [Q4]. */
function gatedMatches({ store, plan, parts }: Question, { lexical }: OpenChannels, { best }: CandidateBudget) {
  if (!asksForLedger(plan)) return []
  const gated = Array.from(lexical.matches).filter((key) => parts.filtered.has(key))
  return selectTop(gated, lexical.score, best, store.idOf)
}

function boundsOf({ plan }: Question, policy: ConvexPolicy, facts: Facts) {
  return ownBounds(plan, policy, facts, gateRows(plan, facts).eligible)
}
