/** Types of exports and imports. */
import type { ImportReceipt } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { StagedImport } from '../../export-format/staging.ts'

/** A running export. */
export interface ExportSession {
  /** The next bytes, about 256 KiB; null after the last ones. Throws the error that ended the export early. */
  next(): Uint8Array<ArrayBuffer> | null
  /** Records written, and the number of all records. */
  progress(): { readonly done: number; readonly total: number }
  /** Bytes of the copy of a record. */
  bytesHeld(id: string): number
  /** Ends the export and frees its copies. May be called more than once. */
  end(): void
}

export interface ImportRequest {
  readonly mode: 'merge' | 'replace'
  readonly staged: StagedImport
  /** Time of the log lines (ms). */
  readonly at: number
}

/** How many records an import inserted, updated, left unchanged and removed. */
export type ImportCounts = Pick<
  ImportReceipt,
  'inserted' | 'updated' | 'unchanged' | 'forgotten' | 'removed' | 'links' | 'files' | 'conflicts'
>

/** Both versions of a record of which two stores changed the same fields apart; changes of one side alone are in both. */
export interface ImportConflict {
  readonly mine: RecordInput
  readonly theirs: RecordInput
  /** The side whose changes of these fields stay; both: some of each. */
  readonly kept: 'mine' | 'theirs' | 'both'
}
