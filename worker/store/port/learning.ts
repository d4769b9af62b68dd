/**
 * The learned state of a store, as the methods use it: reads, and the changes of one transaction (`Store.learn`), which commits
 * all of them or none. Every change of a record adds a line to the log, from which subscribers learn about it.
 */
import type { LearnedState } from '../../../src/core/learning/apply-outcome.ts'
import type { TimedError } from '../../../src/core/learning/summarise-errors.ts'
import type { ReportedEffect } from '../../../src/core/merge/report.ts'
import type { EventKind, Link, LoggedEvent, PredictionFilter, Proposal } from '../../../src/core/model/learned.ts'
import type { Cycle } from '../../../src/core/model/record.ts'

/** A link with the key of the other record. */
export interface KeyedLink extends Link {
  readonly key: number
}

/** Two active records of which the later seems to contradict the earlier. */
export interface StoredContradiction {
  readonly id: string
  /** Id of the earlier record. */
  readonly contradicts: string
  readonly reason: string
  readonly createdAt: number
  readonly project: string | null
  readonly agent: string | null
  readonly bank: string | null
}

/** Something that was learned of a record. The store gives it a stamp. */
export interface NewReport {
  readonly effect: ReportedEffect
  /** Hash of receipt, record and outcome: the same one counts once. Absent: every report counts. */
  readonly mark?: string | null
}

export interface Learning {
  stateOf(key: number): LearnedState
  /** Cycles as the caller set them, without the amplitude changes from outcomes. */
  givenCycles(key: number): readonly Cycle[]
  /** Links of a record by weight, then id, both descending. */
  linksOf(key: number): readonly KeyedLink[]
  weightOf(a: number, b: number): number | undefined
  predictionErrors(filter: PredictionFilter): readonly TimedError[]
  /** Proposals made after `after` (ms), oldest first, of one scope (canonical JSON) or of all (null). */
  proposals(scope: string | null, after: number): readonly Proposal[]
  /** Contradictions that put proposed and that are not settled, oldest first; read once in each revision. */
  contradictions(): readonly StoredContradiction[]
  /** Ids of pairs that were settled because both are right, the later first; read once in each revision. */
  agreements(): readonly (readonly [string, string])[]
  /** Log lines after a revision, in log order. */
  events(since: number): readonly LoggedEvent[]
}

export interface LearningChanges extends Learning {
  /** Whether an outcome with this mark is known, also from another device. */
  isReported(key: number, mark: string): boolean
  /** Adds learned reports of a record. Returns its learned state. */
  report(key: number, reports: readonly NewReport[]): LearnedState
  /** Creates or changes a link. Returns its weight; 0 if it was too weak for a record that already has the most links allowed. */
  setLink(a: number, b: number, weight: number): number
  /** Adds to the weight of a link, which may be new. Returns the same as `setLink`. */
  strengthenLink(a: number, b: number, delta: number): number
  /** Weakens every link. Returns the ids of records that had links. */
  weakenLinks(factor: number): { readonly weakened: number; readonly pruned: number; readonly ids: readonly string[] }
  /** The open prediction of a record, with the expected value as JSON. A record has at most one. */
  openPrediction(key: number): { readonly expected: string } | undefined
  /** Opens a prediction; replaces an open one. */
  predict(key: number, expected: string): void
  /** Resolves the open prediction. */
  resolvePrediction(key: number, actual: string | null, error: number): void
  propose(scope: string, key: number, reason: string): void
  /** Removes the proposals of a record in every scope; returns the scopes. */
  endProposals(key: number): readonly string[]
  /** `key` is the later record. */
  proposeContradiction(key: number, other: number, reason: string): void
  /** Settles the contradictions of a record on either side. `isRight`: both records of each pair are. */
  settleContradictions(key: number, isRight: boolean): void
  /** Removes proposals made at or before `until` (ms). */
  expire(until: number): readonly Proposal[]
  isDone(operation: string): boolean
  markDone(operation: string): void
  /** Appends a log line and marks the record as changed; an id of '' marks none. */
  log(kind: EventKind, id: string, detail?: LoggedEvent['detail']): void
}
