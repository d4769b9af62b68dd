/** Candidates that are lost, and why: plain rows until the ledger packs them. */
import type { Stage } from '../model/result.ts'

export interface Loss {
  readonly row: number
  readonly reason: string
  readonly stage: Stage
  /** Exact where the row was read, else the lower bound. */
  readonly score: number
}

/** Many candidates that lost for one reason, best first by what is known of their scores, then by id. */
export interface Beyond {
  readonly reason: string
  readonly stage: Stage
  readonly rows: Int32Array
  readonly scores: Float64Array
}
