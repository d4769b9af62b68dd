/**
 * What a store learns of its records, and how it tells of it: outcomes, links, predictions, proposals, events.
 * Types only; the formulas are in `dynamics/`, the rows in the worker's store.
 */
import type { Durability } from './result.ts'

/** What became of a record that was handed out. */
export type Outcome = 'acted' | 'used' | 'dismissed' | 'deferred' | 'contradicted'

/** A link of a record: the id on its other side, and its weight in (0, 1]. */
export interface Link {
  readonly id: string
  readonly weight: number
}

export interface LinkReceipt {
  /** The link's weight now; 0 when it was the weakest of too many links and was not kept. */
  readonly weight: number
  readonly revision: number
  readonly durability: Durability
}

export interface WeakenReceipt {
  /** Links that are still there, weaker. */
  readonly weakened: number
  /** Links that became too weak and are gone. */
  readonly pruned: number
  readonly revision: number
  readonly durability: Durability
}

export interface PredictionReceipt {
  readonly revision: number
  readonly durability: Durability
}

export interface ResolvedPrediction {
  /** How wrong the prediction was: `predictionError` of what was expected and what came. */
  readonly error: number
  /** The record's confidence now. */
  readonly confidence: number
  readonly revision: number
  readonly durability: Durability
}

/** Which resolved predictions a summary covers. Default: all. */
export interface PredictionFilter {
  readonly ids?: readonly string[] | undefined
  /** Bounds on the time of resolution (ms), half-open: [after, before). */
  readonly after?: number | undefined
  readonly before?: number | undefined
}

/** The errors of the predictions that were resolved on one day (UTC). */
export interface PredictionDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly count: number
  readonly mean: number
  /** Population standard deviation. */
  readonly sd: number
  /** Percentiles by nearest rank: each is an error that occurred. */
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

/** A record that was surfaced without being asked for, and waits for its outcome. */
export interface Proposal {
  readonly id: string
  /** Canonical JSON of the scope it was made in. */
  readonly scope: string
  readonly reason: string
  readonly createdAt: number
}

export type EventKind =
  | 'create'
  | 'update'
  | 'touch'
  | 'delete'
  | 'read'
  | 'outcome'
  | 'confidence'
  | 'link'
  | 'unlink'
  | 'weaken'
  | 'predict'
  | 'resolve'
  | 'propose'
  | 'settle'
  | 'expire'
  | 'import'

/** A line of the log: which record changed, when and how. Ids and numbers, never text of a record. */
export interface LoggedEvent {
  /** Rises with every line; gaps mean nothing. */
  readonly sequence: number
  /** Revision the change brought the store to: every line of one transaction has the same. */
  readonly revision: number
  readonly at: number
  readonly kind: EventKind
  /** Empty where the change is of no single record. */
  readonly id: string
  readonly detail: Readonly<Record<string, string | number>> | null
}
