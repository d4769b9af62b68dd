/** Candidates that were not selected, with reasons: rows, until the ledger packs them. */
import type { Stage } from '../model/result.ts'

export interface Rejected {
  readonly row: number
  readonly reason: string
  readonly stage: Stage
  /** Exact if the row was read, else the lower bound. */
  readonly score: number
}

/** Many candidates that were rejected for one reason, best first by the lower bounds of their scores, then by id. */
export interface RejectedRange {
  readonly reason: string
  readonly stage: Stage
  readonly rows: Int32Array
  readonly scores: Float64Array
}
