/** The changes of a commit, for the derived indexes. */
export interface Committed {
  readonly revision: number
  /** Keys with new text or vectors, and the codes of their vectors (empty: none). */
  readonly added: readonly { readonly key: number; readonly codes: readonly Uint8Array[] }[]
  readonly removed: readonly number[]
  /** Ids whose rows changed. */
  readonly changed: readonly string[]
  /** The rows are committed, but the derived data in memory could not be updated and must be rebuilt. */
  readonly isStale?: boolean
}

/** The net changes of a commit: leaves out keys that one transaction both added and removed. */
export function netOf<T extends Pick<Committed, 'added' | 'removed' | 'changed'>>(changes: T): T {
  const { added, removed, changed } = changes
  const removedKeys = new Set(removed)
  const addedKeys = new Set(added.map((entry) => entry.key))
  return {
    ...changes,
    added: added.filter(({ key }) => !removedKeys.has(key)),
    removed: removed.filter((key) => !addedKeys.has(key)),
    changed: [...new Set(changed)],
  }
}

/** A write with an operation id, and the stored reply from which its answer can be built again. */
export interface DoneOperation {
  readonly operation: string
  /** The request's `now`. */
  readonly at: number
  readonly answer: string
}
