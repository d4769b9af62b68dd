/**
 * Numbers the distinct keys of one gathering in the order of arrival. All queries share one array indexed by key without
 * clearing it: an entry is valid only if `keys` has the same key at that row.
 */

export interface KeyRows {
  /** Starts a new numbering. Keys are at most `lastKey`. */
  start(lastKey: number): void
  add(key: number): void
  /** −1 for a key that was not added. */
  rowOf(key: number): number
  /** The keys that were added, in a copy. */
  candidates(): CandidateRows
}

/** The candidates of one gathering, numbered from 0. */
export interface CandidateRows {
  readonly keys: Uint32Array
  /** −1 for a key that is not a candidate. */
  rowOf(key: number): number
}

export function createKeyRows(): KeyRows {
  let rows = new Uint32Array(0)
  let keys = new Uint32Array(4096)
  let length = 0
  const rowOf = (key: number) => {
    const row = rows[key] ?? length
    return row < length && keys[row] === key ? row : -1
  }
  return {
    start(lastKey) {
      if (rows.length <= lastKey) rows = new Uint32Array(lastKey + 1 + (lastKey >> 1))
      length = 0
    },
    add(key) {
      if (rowOf(key) !== -1) return
      if (length === keys.length) {
        const larger = new Uint32Array(keys.length * 2)
        larger.set(keys)
        keys = larger
      }
      rows[key] = length
      keys[length++] = key
    },
    rowOf,
    candidates: () => ({ keys: keys.slice(0, length), rowOf }),
  }
}
