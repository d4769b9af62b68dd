/** What a transaction did: for the derived indexes, and for whoever asks the same operation again. */

/** What a commit changed, for the derived indexes. */
export interface Committed {
  readonly revision: number
  /** Keys that hold new text or vectors, with the codes of their vectors (empty: none). */
  readonly added: readonly { readonly key: number; readonly codes: readonly Uint8Array[] }[]
  readonly removed: readonly number[]
  /** Ids whose rows changed. */
  readonly changed: readonly string[]
  /** The rows stand, but what memory holds of them could not follow: it must be derived anew. */
  readonly isBehind?: boolean
}

/** A write that carried an operation id, and what its answer can be made from again. */
export interface DoneOperation {
  readonly operation: string
  /** The request's `now`. */
  readonly at: number
  readonly answer: string
}
