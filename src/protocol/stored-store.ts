/** One store of a list, with the facts that can be read without opening it. */
export interface StoredStore {
  /**
   * For `openRecall({ name })` and `destroyStore(name)`; of a store in a file its path. Null: an older release saved no name, and the store
   * was not opened since.
   */
  readonly name: string | null
  readonly storage: 'opfs' | 'indexeddb' | 'file'
  /** Bytes of its files, with journal. An estimate in IndexedDB. Null: this context cannot read them. */
  readonly bytes: number | null
  /**
   * True: its data vanished. Opening it would reject with `DATA_MISSING`; `destroyStore(name)` removes what is left. Of a file: only its
   * journal or its revision is left.
   */
  readonly missing: boolean
  /** Set: it opens only with one of its locks. */
  readonly locked?: true
}
