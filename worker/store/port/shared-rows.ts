/** Types of rows that a node pulled, parsed. */
import type { PortableFile } from '../../export-format/block.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import type { MarkedTombstone } from '../../export-format/versions.ts'

/** The reply of an operation, as another node stored it. */
export interface SharedOperation {
  readonly operation: string
  readonly revision: number
  readonly at: number
  readonly answer: string
}

/** Rows of a store that several nodes share, as of one revision. */
export interface SharedRows {
  readonly revision: number
  /** By id. */
  readonly records: readonly StagedRecord[]
  readonly files: readonly PortableFile[]
  readonly tombstones: readonly MarkedTombstone[]
  readonly operations: readonly SharedOperation[]
  readonly removed: Readonly<Record<'records' | 'files' | 'tombstones' | 'operations', readonly string[]>>
}
