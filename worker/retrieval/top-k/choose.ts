/**
 * Chooses the candidates of a budget: the records with the largest upper bounds, and those on which their scores depend. States what the
 * scores of all other records are at most, as in the threshold algorithm (Fagin, Lotem, Naor 2001).
 */
import { kthLargest, selectTop } from '../../../src/core/collections/select-top.ts'
import { ownBounds } from '../../../src/core/fusion/convex.ts'
import { withSlack } from '../../../src/core/fusion/convex-ceiling.ts'
import type { Facts } from '../../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../../src/core/model/policy.ts'
import { asksForLedger } from '../../../src/core/select/asks-for-ledger.ts'
import { gateRows } from '../../../src/core/select/gate.ts'
import { type FoundRecords, isFoundBy, type OpenChannels } from '../channels/channels.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { Keys } from '../question/key-parts.ts'
import type { CandidateRows, KeyRows } from '../question/key-rows.ts'
import type { Question, ReservedKeys } from '../question/question.ts'
import { bestInSessions, scoresOf } from './neighbour-bounds.ts'
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
export function chooser(question: Question, channels: OpenChannels, rows: KeyRows): Choose | null {
  const { store, plan, parts } = question
  const { summedWeights: policy } = plan.needs
  if (policy === null) return null
  const upper = upperBoundsOf(question, policy, channels)
  const sessions = plan.needs.sessions && !plan.listing ? store.sessions() : null
  const isFound = isFoundBy(question, channels)
  const isEligible = (key: number) => isFound(key) && !parts.filtered.has(key)
  const { reserved } = question
  // Enough of many are among the best records; a listing names them in its order.
  const areMany = reserved !== null && reserved.most * rareShare > store.statistics(question.scope).records
  const leastReserved = areMany || plan.listing ? 0 : leastOfFew
  return (found, budget, tabulate) => {
    const { ceiling } = found.vector
    const cosine = ceiling === Number.NEGATIVE_INFINITY ? ceiling : upper.cosine(ceiling)
    const nearest = cosine + upper.unseen
    const exact = new Set([...budget.also, ...[...(parts.files ?? [])].filter(isFound)])
    const shown = gatedMatches(question, channels, budget)
    const { also } = budget
    const always = [shown, ...alwaysCandidates(found), exact]
    let ofReserved = reserved === null ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const choice = (keys: Choice['sets'], score: number, inexact = none): Choice => {
      const unseen = { score, reserved: Math.min(score, withSlack(ofReserved)), nearest, cosine: ceiling }
      return score === Number.NEGATIVE_INFINITY
        ? { sets: [...keys, ...always], unseen: null, inexact: none, also }
        : { sets: [...keys, ...always], unseen, inexact, also }
    }
    const addReserved = (boundsOf: (keys: readonly number[]) => Bounded) => {
      const most = Math.max(budget.reserved, leastReserved)
      if (reserved === null || most === 0) return
      const best = bestOf(boundsOf(reserved.list().filter(isEligible)), reserved, { ...budget, reserved: most })
      for (const key of best.keys) exact.add(key)
      ofReserved = best.ofOthers
    }
    if (sessions === null) {
      addReserved((keys) => ({ keys, bounds: upper.boundsOf(keys).own }))
      const best = largestBounds(upper, budget, found.recent)
      const score = Math.max(best.ofOthers, nearest)
      return choice([best.keys], withSlack(score))
    }
    const few = fewRecords(found)
    const rare = few.length === 0 ? new Map() : boundsOfRare(question, policy, tabulate(everyOf(few)))
    const further = [...found.vector.keys].filter((key) => channels.lexical.matched(key) === 0 && isEligible(key))
    const known = { upper, further, rare, nearest, sessions, isEligible, exact, rows, lastKey: store.lastKey() }
    addReserved(scoresOf(policy, known))
    const { contenders, givers, ofOthers } = bestInSessions(policy, known, budget)
    const inexact = new Set<number>()
    for (const set of [givers, ...always])
      for (const key of set) if ((sessions.groups[key] ?? 0) !== 0 && !contenders.has(key)) inexact.add(key)
    return choice([contenders, givers], ofOthers, inexact)
  }
}

/** The records of channels whose amounts no upper bound has. */
function fewRecords({ sources, terms, paths, linked, anchors }: FoundRecords): readonly number[] {
  return [sources, terms, paths, linked, anchors].flatMap(({ keys }) => [...keys])
}

function everyOf(keys: readonly number[]): Choice {
  return { sets: [keys], unseen: null, inexact: none, also: [] }
}

function boundsOfRare({ plan }: Question, policy: ConvexPolicy, { facts, rows }: ReturnType<Tabulate>) {
  const { own, given } = ownBounds(plan, policy, facts, gateRows(plan, facts).eligible)
  return new Map(Array.from(rows.keys, (key, row) => [key, { own: own[row]!, given: given[row]! }]))
}

interface Bounded {
  readonly keys: Keys
  readonly bounds: Float64Array
}

/** The reserved records that a budget names, and the largest bound of the others. */
function bestOf(
  { keys, bounds }: Bounded,
  { has }: ReservedKeys,
  { reserved: most, leastReserved }: Pick<CandidateBudget, 'reserved' | 'leastReserved'>,
) {
  const cut = Math.min(
    kthLargest(
      bounds.filter((_, i) => has(keys[i]!)),
      most,
    ),
    leastReserved,
  )
  const best: number[] = []
  let ofOthers = Number.NEGATIVE_INFINITY
  for (let i = 0; i < keys.length; i++) {
    if (!has(keys[i]!)) continue
    if (bounds[i]! >= cut) best.push(keys[i]!)
    else ofOthers = Math.max(ofOthers, bounds[i]!)
  }
  return { keys: best, ofOthers }
}

/** Reserved records are few if they are less than one of so many; of few, this number are candidates at first. */
const rareShare = 16
const leastOfFew = 64

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
