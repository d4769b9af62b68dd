/** The type of an earlier version of a record. */
import type { RecordInput } from './record.ts'

export interface StoredVersion {
  /** ms: when it was written; null if that was before the store kept its history. */
  readonly from: number | null
  /** ms: when another version replaced it; null for the present one. */
  readonly until: number | null
  /** The record as it was; `put` makes it the present version again. Empty fields are left out. */
  readonly record: RecordInput
}
