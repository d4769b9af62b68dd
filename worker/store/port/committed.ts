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

/** What a commit leaves: a key that one transaction both made and moved on from was never there. */
export function netOf<T extends Pick<Committed, 'added' | 'removed' | 'changed'>>(made: T): T {
  const { added, removed, changed } = made
  const gone = new Set(removed)
  const held = new Set(added.map((entry) => entry.key))
  return {
    ...made,
    added: added.filter(({ key }) => !gone.has(key)),
    removed: removed.filter((key) => !held.has(key)),
    changed: [...new Set(changed)],
  }
}

/** A write that carried an operation id, and what its answer can be made from again. */
export interface DoneOperation {
  readonly operation: string
  /** The request's `now`. */
  readonly at: number
  readonly answer: string
}
