/** The history port: what a store knows of its past. */
import type { StoredVersion } from '../../../src/core/model/record.ts'
import type { SharedRows } from './shared-rows.ts'

/** A write that kept the versions which it replaced. */
export interface KeptWrite {
  readonly seq: number
  readonly revision: number
}

export interface StoreHistory {
  /** ms: from here on the store knows each of its states. */
  readonly since: number
  /** How often records were forgotten since the store opened. */
  erasures(): number
  counts(): { readonly versions: number; readonly bytes: number }
  /** The versions of a record, the present one first; none if it is not stored. What was only learned of it makes no version. */
  versions(id: string): readonly StoredVersion[]
  /** The first write after a time (ms); null if there is none. */
  writeAfter(at: number): KeptWrite | null
  /** What must be applied to the store of now to get the one before this write. */
  rowsBefore(write: KeptWrite): SharedRows
}
