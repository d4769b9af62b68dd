/**
 * The port to a store that several nodes share: rows with a revision, and one compare-and-set for each write. A row is what an export has of
 * one record (its frames), of one file state, of one tombstone, or the reply of one operation.
 */

/** The numbers are stored, so they never change. */
export const blockKinds = { record: 1, file: 2, tombstone: 3, operation: 4 } as const
export type BlockKind = (typeof blockKinds)[keyof typeof blockKinds]

export interface BlockKey {
  readonly kind: BlockKind
  /** The record's id, the file's path, the tombstone's mark, or the operation. */
  readonly id: string
}

export interface BlockRow extends BlockKey {
  /** Null: it was removed. */
  readonly frames: Uint8Array | null
}

export interface Pulled {
  readonly revision: number
  /** Canonical JSON of the options that determine what is stored; null until the first write. */
  readonly settings: string | null
  readonly rows: readonly BlockRow[]
}

export interface Shipped {
  /** The revision from which the writer planned. */
  readonly from: number
  /** Its next revision, which is greater. */
  readonly to: number
  readonly settings: string
  readonly rows: readonly BlockRow[]
}

/** `lost`: another node wrote first. `awaited`: written, and another node, which lost a race less than a second ago, waits. */
export type ShipOutcome = 'lost' | 'written' | 'awaited'

export interface BlockStore {
  /** Revision 0 and no settings: the store does not exist. */
  head(): Promise<Pick<Pulled, 'revision' | 'settings'>>
  /** The rows changed after a revision, and the rows of these keys, as of one moment. Rows that were removed come as null, or not at all. */
  pull(after: number, keys?: readonly BlockKey[]): Promise<Pulled>
  /** Writes the rows if the stored revision is `from`, and nothing if it is another one. */
  ship(changes: Shipped): Promise<ShipOutcome>
  /** Deletes every row of the store. */
  remove(): Promise<void>
}

/** What a closed node leaves, so that the store can be opened again without importing all its rows. */
export interface KeptStore {
  /** The `birth` of the shared store: a store that was deleted and made again has another one. */
  readonly birth: string | null
  readonly database: Uint8Array<ArrayBuffer>
}
