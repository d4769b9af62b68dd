/**
 * The types of learned data: outcomes, links, predictions, proposals and events.
 * The formulas are in `learning/`, the rows in the worker's store.
 */
import type { Durability } from './receipts.ts'

/** What became of a record that an answer contained. */
export type Outcome = 'acted' | 'used' | 'dismissed' | 'deferred' | 'contradicted'

/** A link of a record: the id of the other record, and the weight in (0, 1]. */
export interface Link {
  readonly id: string
  readonly weight: number
}

export interface LinkReceipt {
  /** The weight of the link now; 0 if the record has too many links and this one, the weakest, was dropped. */
  readonly weight: number
  readonly revision: number
  readonly durability: Durability
}

export interface WeakenReceipt {
  /** Links that became weaker and are still stored. */
  readonly weakened: number
  /** Links that became too weak and were deleted. */
  readonly pruned: number
  readonly revision: number
  readonly durability: Durability
}

export interface PredictionReceipt {
  readonly revision: number
  readonly durability: Durability
}

export interface ResolvedPrediction {
  /** `predictionError` of the expected and the actual value. */
  readonly error: number
  /** The confidence of the record now. */
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

/** A record that surfaced unasked and waits for its outcome, or seems to contradict an earlier one and waits to be settled. */
export interface Proposal {
  readonly id: string
  /** Canonical JSON of the scope of the assembly; of a contradiction, of the record's project, agent and bank. */
  readonly scope: string
  readonly reason: string
  readonly createdAt: number
  /** Id of the earlier record that this one seems to contradict. Absent for a record that surfaced. */
  readonly contradicts?: string | undefined
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
  | 'conflict'

/** A line of the event log: which record changed, when and how. Contains ids and numbers, never text of a record. */
export interface LoggedEvent {
  /** Rises with every line; gaps have no meaning. */
  readonly sequence: number
  /** Store revision after the change; the same for all lines of one transaction. */
  readonly revision: number
  readonly at: number
  readonly kind: EventKind
  /** Empty if the change concerns more than one record. */
  readonly id: string
  readonly detail: Readonly<Record<string, string | number>> | null
}
