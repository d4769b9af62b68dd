/**
 * The vector port: nearest records by cosine, with a stated error, over records named by their integer key.
 * Exact search and HNSW both answer it. What a caller gets are estimates with margins:
 * proving the order [V1] is the caller's, who rescores candidates in float64 from the stored float32.
 */

export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw'
  readonly dimensions: number
  /** Embedded pieces that are alive. */
  rows(): number
  /** Bytes of kernel memory held. */
  bytes(): number
  /** Adds the encoded pieces of one record (see `quantise.ts`); a record's pieces come in one call, keys only grow. */
  add(key: number, codes: readonly Uint8Array[]): void
  /** Forgets a record's pieces and zeroes their slots; unknown keys are ignored. */
  remove(key: number): void
  /** Whether any piece of the record is held. */
  has(key: number): boolean
  /**
   * Best records by estimate. `members` (ascending keys) restricts the search before any cut; null searches all.
   * With `exact`, every record of the scope is looked at, whatever the index; without it the index may choose.
   */
  scan(query: Float32Array, members: Uint32Array | null, depth: number, way?: 'exact'): VectorScan
  /** Estimates for named records; absent ones get NaN. */
  estimate(query: Float32Array, keys: Uint32Array): VectorEstimates
  /** Drops everything. */
  clear(): void
}

export interface VectorEstimates {
  /** Best estimate over the record's pieces, one per key asked for. */
  readonly estimates: Float64Array
  /** |exact cosine − estimate| ≤ margin, for the best piece. */
  readonly margins: Float64Array
}

export interface VectorScan extends VectorEstimates {
  /** `hnsw`: a graph proposed these records, and others as near may be missing: `ceiling` speaks of proposed ones alone. */
  readonly mode: 'exact' | 'hnsw'
  /** At most `depth` keys, all with an estimate strictly above the cut; estimate descending, then key ascending. */
  readonly keys: Uint32Array
  /** Keys whose estimate equals the cut exactly, ascending: the caller fills up to `depth` from them by id. */
  readonly tied: Uint32Array
  /** The estimate the tied keys share; −Infinity when nothing was cut. */
  readonly tiedEstimate: number
  /** The largest margin among the tied keys. */
  readonly tiedMargin: number
  /** No record outside `keys` and `tied` has an exact cosine above this; −Infinity when nothing was cut. */
  readonly ceiling: number
  /** Embedded pieces looked at. */
  readonly scanned: number
  /** Records of the scope that have vectors. */
  readonly matched: number
  /** Mean and standard deviation of their estimates: from exact integer sums [D3], or by `hnsw` of an even sample. */
  readonly mean: number
  readonly deviation: number
}
