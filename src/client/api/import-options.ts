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
   * Whether the bytes are encrypted with the locks that the store has now: each of them opens the export alone. False: plain bytes of a locked store.
   * Rejects with `INVALID_CONFIG` for true if the store is not locked. Default: true for a locked store, otherwise false.
   */
  readonly encrypted?: boolean | undefined
}

export interface ImportOptions extends CallOptions {
  /**
   * Opens an encrypted export: a lock that the exported store had. Default: the keys of this store, or the lock that opened it. Rejects with
   * `WRONG_KEY` if it does not fit, with `LOCKED` if it is needed, and with `INVALID_CONFIG` if the export is not encrypted.
   */
  readonly lock?: LockSecret | undefined
  /**
   * `merge`: adds the records of the import. If a record is also stored, the later change is kept. The change of a device that already
   * had the other change counts as later, whatever the clocks of the devices say. A record that was forgotten in one of the stores is
   * forgotten afterwards, unless it was put again since. The learned states of both stores are merged. `replace`: deletes what is stored, then stores the import.
   */
  readonly mode: 'merge' | 'replace'
  /**
   * The highest authority tier of `OpenOptions.authority` that an imported record may have. A record with a higher tier, or with an
   * unknown one, gets this tier. Tiers that come from a record's profile or bank are limited, too. null: imported records have no tier.
   * Default: no limit, which fits a backup of your own. Set it for a file that someone else may have written.
   */
  readonly authorityTier?: string | null | undefined
  /**
   * True: texts are redacted with `redact` of `OpenOptions.extensions`, as in a `put`. A record that is changed by this loses its
   * vectors, and `reembed` makes new ones. False: texts are stored unchanged. Default: true if the store has a `redact` function,
   * otherwise false.
   */
  readonly redact?: boolean | undefined
  /**
   * `keep`: imports what the exported store learned. `drop`: imports records as if they were put for the first time, without reads,
   * confidence, links, predictions, proposals, `pressureRate` and `cycles`, and with the default `importance`. These values decide which
   * records are surfaced unasked: use `drop` for a file that someone else may have written. Default `keep`.
   */
  readonly learned?: 'keep' | 'drop' | undefined
  /**
   * Decides about records of which both stores changed the same field without knowledge of each other, after the merge: returns `'mine'`,
   * `'theirs'`, or a record made of both, which is put in place of the merged one. Must be pure, and give the same for `(b, a)` on the other device. If it
   * throws, the call rejects with that error, and the merge stays. Default: the later change stays.
   */
  readonly onConflict?: ConflictResolver | undefined
}

/** `mine`: as it was stored here; `theirs`: as it was imported. Both have what only one of them changed. */
export type ConflictResolver = (mine: RecordInput, theirs: RecordInput) => RecordInput | 'mine' | 'theirs'
