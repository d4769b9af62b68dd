/** Types of `exportTo` and `importFrom`. */
import type { LockSecret } from '../../core/model/lock.ts'
import type { RecordInput } from '../../core/model/record.ts'
import type { CallOptions } from './call-options.ts'

/** The bytes of an export of `exportTo`, in parts of any size. */
export type ImportSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>

export interface ExportOptions extends CallOptions {
  /**
   * Whether the bytes are encrypted with the locks that the store has now: each of them opens the export alone. Rejects with `INVALID_CONFIG`
   * for true if the store is not locked. Default: true for a locked store, otherwise false.
   */
  readonly encrypted?: boolean | undefined
}

export interface ImportOptions extends CallOptions {
  /**
   * A lock that the exported store had, for an encrypted export. Default: the keys of this store, or the lock that opened it. Rejects with
   * `WRONG_KEY`, with `LOCKED` if it is needed, and with `INVALID_CONFIG` if the export is not encrypted.
   */
  readonly lock?: LockSecret | undefined
  /**
   * `merge`: adds the records of the import. Of a record that both have, the later change of each field is kept; a change made on top of the
   * other one is later, whatever the clocks say. A record that one side forgot stays forgotten, unless it was put again since. Learned states
   * are united. `replace`: deletes what is stored first.
   */
  readonly mode: 'merge' | 'replace'
  /**
   * The highest authority tier that an imported record may have, also through its profile or bank. A higher or unknown tier becomes this tier.
   * null: no tier. Default: no limit, which fits a backup of your own. Set it for a file that someone else may have written.
   */
  readonly authorityTier?: string | null | undefined
  /**
   * True: texts are redacted with `redact` of `OpenOptions.extensions`, as in a `put`. A record that is changed by this loses its vectors, and
   * `reembed` makes new ones. Default: true if the store has a `redact` function.
   */
  readonly redact?: boolean | undefined
  /**
   * `drop`: imports records as if they were put for the first time, without reads, confidence, links, predictions, proposals, `pressureRate`
   * and `cycles`, and with the default `importance`. These values decide which records are surfaced unasked: use `drop` for a file that
   * someone else may have written. Default `keep`.
   */
  readonly learned?: 'keep' | 'drop' | undefined
  /**
   * Decides about records of which both stores changed the same field without knowledge of each other: returns `'mine'`, `'theirs'`, or a
   * record made of both, which replaces the merged one. Must be pure, and give the same for `(b, a)` on the other device. If it throws, the
   * call rejects with that error, and the merge stays. Default: the later change stays.
   */
  readonly onConflict?: ConflictResolver | undefined
}

/** `mine`: as it was stored here; `theirs`: as it was imported. Both have what only one of them changed. */
export type ConflictResolver = (mine: RecordInput, theirs: RecordInput) => RecordInput | 'mine' | 'theirs'
