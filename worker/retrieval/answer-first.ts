/**
 * Answers from few candidates: those whose bounds are the highest. Most answers have ten records of thousands that match, so scoring all of
 * them is wasted. If the proof fails, more candidates are gathered, in the end all [L1].
 */

import { type Decision, presenting } from '../../src/core/decide.ts'
import { mostShares } from '../../src/core/fusion/convex-ceiling.ts'
import type { Need } from '../../src/core/model/facts.ts'
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { Hit } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { asksForLedger } from '../../src/core/select/asks-for-ledger.ts'
import { followsChanges } from '../../src/core/select/later-first.ts'
import { type Selection, select } from '../../src/core/select/select.ts'
import { type Gathering, search } from './gather.ts'
import { type CandidateBudget, everything } from './question/budget.ts'
import type { RetrievalPorts } from './question/ports.ts'
import { proof, type UnseenBounds } from './top-k/proof.ts'

export interface Certified {
  readonly gathering: Gathering
  readonly selection: Selection
}

/** The answer. Call it inside one read transaction. */
export function answerFirst(
  plan: QueryPlan,
  ports: RetrievalPorts,
): { readonly decision: Decision; readonly gathering: Gathering } {
  const { gathering, selection } = selectFirst(plan, ports, asksForLedger(plan) ? everything : firstBudget(plan, ports))
  return { decision: present(gathering, selection), gathering }
}

/** The selection that all candidates give, from at least those of the budget. */
export function selectFirst(plan: QueryPlan, ports: RetrievalPorts, first: CandidateBudget): Certified {
  const { summedWeights: weights } = plan.needs
  if (weights === null || first === everything) return selectFromAll(plan, ports)
  const { within } = search(plan, ports, first)
  const records = ports.store.statistics(ports.store.scopeKeys(plan.scope)).records
  for (let budget = first, round = 1; ; ) {
    const gathering = within(budget)
    // Under a quota, a ledger reads every candidate. The proof needs only what the answer needs.
    const selection = selectAmong(gathering, withoutLedger(gathering.plan))
    const successors = gathering.lackingSuccessors()
    if (successors.length > 0) {
      budget = { ...budget, also: [...budget.also, ...successors] }
      continue
    }
    const { unseen } = gathering
    const copies = gathering.lackingCopies()
    const holds = proof.holds(gathering.facts, selection, unseen, copies)
    const holdsReserved = proof.holdsReserved(gathering.facts, selection, unseen)
    if (holds && holdsReserved)
      return { gathering, selection: asksForLedger(plan) ? selectAmong(gathering) : selection }
    if (unseen === null || round++ === mostRounds) budget = { ...everything, also: budget.also }
    else {
      // Further records of a listing are the next ones of its order.
      const isListing = gathering.plan.listing && !holdsReserved
      if (!holds || isListing) budget = wider(weights, budget, { unseen, copies, floor: selection.floor }, records)
      if (!holdsReserved && !isListing) budget = withReserved(budget, selection.reserved.floor)
    }
  }
}

export function withoutLedger(plan: QueryPlan): QueryPlan {
  return { ...plan, query: { ...plan.query, ledger: false, explain: false, capture: false } }
}

/** The selection from all candidates, and from those that replace one of them. */
export function selectFromAll(plan: QueryPlan, ports: RetrievalPorts): Certified {
  const { within } = search(plan, ports, everything)
  for (let budget = everything; ; ) {
    const gathering = within(budget)
    const selection = selectAmong(gathering)
    const successors = gathering.lackingSuccessors()
    if (successors.length === 0) return { gathering, selection }
    budget = { ...budget, also: [...budget.also, ...successors] }
  }
}

/** `most`: the number of candidates from each channel, if it finds as many. */
export function firstBudget(plan: QueryPlan, { store }: RetrievalPorts, most = 0): CandidateBudget {
  const { policy, query } = plan
  // The gap of the evidence needs two records. Near-duplicates and changed statements are looked for a few places further.
  const isNear = (query.collapse ?? policy.collapse) === 'near'
  const window = isNear || followsChanges(plan) ? Math.max(tuning.nearWindow, tuning.changeWindow) : 0
  const places = Math.max(plan.offset + plan.limit, 2) + window
  const inSessions = plan.needs.sessions && store.sessions() !== null
  const some = Math.max(leastCandidates, 2 * places, most)
  const records = store.statistics(store.scopeKeys(plan.scope)).records
  const isSmall = records <= smallScope
  return {
    best: isSmall ? Number.POSITIVE_INFINITY : inSessions ? Math.max(leastInSessions, 2 * places, most) : some,
    minBound: Number.POSITIVE_INFINITY,
    nearest: isSmall ? smallScope : inSessions ? 2 * some : some,
    newest: some,
    places,
    floor: Number.POSITIVE_INFINITY,
    reserved: 0,
    leastReserved: Number.POSITIVE_INFINITY,
    also: [],
  }
}

/** What is known after a proof failed. */
interface FailedProof {
  readonly unseen: UnseenBounds
  readonly copies: readonly number[]
  /** Of the selection. More candidates can only raise it. */
  readonly floor: number
}

/** The number of candidates that is enough for the floor. `records`: those of the scope. */
function wider(
  weights: ConvexPolicy,
  budget: CandidateBudget,
  { unseen, copies, floor }: FailedProof,
  records: number,
): CandidateBudget {
  // With neighbours, records of which each has less than this together stay below the floor.
  const minBound = (floor / (1 + mostShares(weights))) * (1 - roundingShare) - roundingShare
  const isNear = unseen.nearest < minBound
  const nearest = isNear && copies.length === 0 ? budget.nearest : budget.nearest * growth
  if (nearest * mostShare > records && unseen.cosine !== Number.NEGATIVE_INFINITY)
    return { ...everything, also: budget.also }
  return {
    best: Number.isFinite(minBound) ? budget.best : budget.best * growth,
    minBound: Number.isFinite(minBound) ? Math.min(minBound, budget.minBound) : budget.minBound,
    nearest: unseen.cosine === Number.NEGATIVE_INFINITY ? budget.nearest : nearest,
    newest: budget.newest * growth,
    places: budget.places,
    floor: Math.min(budget.floor, floor),
    reserved: budget.reserved,
    leastReserved: budget.leastReserved,
    also: [...budget.also, ...copies],
  }
}

/** `floor`: of the reserved records. More candidates can only raise it. */
function withReserved(budget: CandidateBudget, floor: number): CandidateBudget {
  return {
    ...budget,
    reserved: Math.max(leastCandidates, budget.reserved * growth),
    leastReserved: floor === Number.NEGATIVE_INFINITY ? -floor : floor - (Math.abs(floor) + 1) * roundingShare,
  }
}

const leastCandidates = 48

/** Fewer, because each brings its neighbours. */
const leastInSessions = 24

const smallScope = 256
const mostRounds = 5
const growth = 4
const roundingShare = 1e-6

/** Gathering more than a half of the scope is not faster than gathering all. */
const mostShare = 2

/** The selection from the gathered candidates. */
export function selectAmong(gathering: Gathering, plan = gathering.plan): Selection {
  return readAndFinish(gathering, select(plan, gathering.facts))
}

/** Presents the selection. */
export function present(gathering: Gathering, selection: Selection): Decision {
  const { plan } = gathering
  const presented = readAndFinish(gathering, presenting(plan, gathering.facts, selection))
  if (!plan.needs.allMatches) return presented
  const { hits, reserved, ...decision } = presented
  // The hits are all selected records, in their order, or none.
  const shown = selection.selected.slice(0, hits.length).map(({ row }) => row)
  const ranked = withLexicalRanks(hits, gathering.lexicalRanks(shown))
  if (reserved === undefined) return { hits: ranked, ...decision }
  const ranksOfKept = gathering.lexicalRanks(selection.reserved.selected.map(({ row }) => row))
  return { hits: ranked, reserved: withLexicalRanks(reserved, ranksOfKept), ...decision }
}

/** Runs the steps to their end, and reads the rows that they request. */
export function readAndFinish<Result>({ read }: Gathering, steps: Generator<Need, Result, void>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    read(step.value.need)
  }
}

/** Few candidates do not show how many records, gated ones too, have better words. */
function withLexicalRanks(hits: readonly Hit[], ranks: readonly (number | null)[]): readonly Hit[] {
  return hits.map((hit, i) => {
    const rank = ranks[i]!
    return hit.ranks.lexical === undefined || rank === null ? hit : { ...hit, ranks: { ...hit.ranks, lexical: rank } }
  })
}
