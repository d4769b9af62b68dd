/**
 * What a store has learned, as the operations see it: reads that change no byte, and the changes that one transaction
 * (`Store.learn`) makes all of or none. Every change of a record says so in the log, which is how its readers hear of it.
 */
import type { LearnedState } from '../../../src/core/learning/apply-outcome.ts'
import type { TimedError } from '../../../src/core/learning/summarise-errors.ts'
import type { EventKind, Link, LoggedEvent, PredictionFilter, Proposal } from '../../../src/core/model/learned.ts'
import type { Cycle } from '../../../src/core/model/record.ts'

/** A link, with the key of the record on its other side. */
export interface KeyedLink extends Link {
  readonly key: number
}

export interface Learning {
  stateOf(key: number): LearnedState
  /** Cycles as the caller gave them, before outcomes changed their amplitudes. */
  givenCycles(key: number): readonly Cycle[]
  /** Links of a record, by weight, then id, both descending. */
  linksOf(key: number): readonly KeyedLink[]
  weightOf(a: number, b: number): number | undefined
  predictionErrors(filter: PredictionFilter): readonly TimedError[]
  /** Proposals made after `after` (ms), of one scope (canonical JSON) or all (null), oldest first. */
  proposals(scope: string | null, after: number): readonly Proposal[]
  /** The log after a revision, in its order. */
  events(since: number): readonly LoggedEvent[]
}

export interface LearningChanges extends Learning {
  setState(key: number, before: LearnedState, after: LearnedState): void
  /** Makes or changes a link; answers its weight, 0 when it was too weak for a record that has all the links it may. */
  setLink(a: number, b: number, weight: number): number
  /** Weakens every link; answers the ids that had any. */
  weakenLinks(factor: number): { readonly weakened: number; readonly pruned: number; readonly ids: readonly string[] }
  /** What a record is expected to bring, as JSON; there is at most one open prediction of a record. */
  openPrediction(key: number): { readonly createdAt: number; readonly expected: string } | undefined
  /** Opens a prediction, in place of one that is open. */
  predict(key: number, expected: string): void
  resolvePrediction(key: number, createdAt: number, actual: string | null, error: number): void
  propose(scope: string, key: number, reason: string): void
  /** Ends the waiting of a record in every scope; answers the scopes. */
  settle(key: number): readonly string[]
  /** Ends the waiting of what was proposed at or before `until` (ms). */
  expire(until: number): readonly Proposal[]
  isDone(operation: string): boolean
  markDone(operation: string): void
  /** Appends a line to the log, and says that the record of this id changed; '' for none in particular. */
  log(kind: EventKind, id: string, detail?: LoggedEvent['detail']): void
}
