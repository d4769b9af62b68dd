/**
 * The interface of vector indexes: nearest records by cosine estimate, each with an error margin. Records are integer keys.
 * The exact index and the HNSW index implement it. The caller proves the order [V1]: it rescores candidates in float64
 * from the stored float32 vectors.
 */

/** Leaves out no record. */
export const noKeys: ReadonlySet<number> = /* @__PURE__ */ new Set()

export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw'
  readonly dimensions: number
  /** Embedded chunks, without removed ones. */
  rows(): number
  /** Bytes of kernel memory in use. */
  bytes(): number
  /** Adds all encoded vectors of one record (see `quantise.ts`) in one call. Keys ascend from call to call. */
  add(key: number, codes: readonly Uint8Array[]): void
  /** Removes a record's chunks and zeroes their slots. Ignores unknown keys. */
  remove(key: number): void
  /**
   * Removes and adds many records. The result is the same as `remove` of each key and then `add` of each record. Each added record has at
   * least one chunk.
   */
  replace(removed: readonly number[], added: readonly EncodedRecord[]): void
  /** Whether the index has a chunk of the record. */
  has(key: number): boolean
  /**
   * Best records by estimate. `scopeKeys` (ascending keys) filters before any cut; null searches all records. Records of `except` are not
   * compared: they are not in the result or in its statistics.
   * `exact`: the index must scan every record of the scope; without it the index may use a graph. `query` must not change later: the index knows
   * it again by its identity.
   */
  scan(
    query: Float32Array,
    scopeKeys: Uint32Array | null,
    depth: number,
    way?: 'exact',
    except?: ReadonlySet<number>,
  ): VectorScan
  /** Estimates of the given records; NaN for a record without vectors. */
  estimate(query: Float32Array, keys: Uint32Array): VectorEstimates
  /** Removes all records. */
  clear(): void
  /** Of an index of two spaces: whether any record has only a stand-in vector. */
  standsIn?(): boolean
  /** Of an index of two spaces: the space on whose scale the cosines of this question are. */
  spaceOf?(query: Float32Array): string
  /** Of an index of two spaces: the part of the question for this record, and its cosine on the scale of the question. */
  partOf?(query: Float32Array, key: number): { readonly query: Float32Array; cosine(own: number): number }
}

/** The encoded vectors of one record (see `quantise.ts`). */
export interface EncodedRecord {
  readonly key: number
  readonly codes: readonly Uint8Array[]
}

export interface VectorEstimates {
  /** Best estimate over the record's chunks, one per given key. */
  readonly estimates: Float64Array
  /** |exact cosine − estimate| ≤ margin, for the best chunk. */
  readonly margins: Float64Array
}

export interface VectorScan extends VectorEstimates {
  /** `hnsw`: a graph proposed these records. It may have missed equally near ones, and `ceiling` covers proposed records only. */
  readonly mode: 'exact' | 'hnsw'
  /** At most `depth` keys with an estimate strictly above the cut; estimate descending, then key ascending. */
  readonly keys: Uint32Array
  /** Keys whose estimate equals the cut exactly, ascending. The caller chooses by id among them up to `depth`. */
  readonly tied: Uint32Array
  /** The estimate of the tied keys; −Infinity when nothing was cut. */
  readonly tiedEstimate: number
  /** The largest margin among the tied keys. */
  readonly tiedMargin: number
  /** Upper bound of the exact cosine of records outside `keys` and `tied`; −Infinity when nothing was cut. */
  readonly ceiling: number
  /** Embedded chunks that were compared with the query. */
  readonly scanned: number
  /** Records of the scope that have vectors. */
  readonly matched: number
  /** Mean and standard deviation of their estimates: from exact integer sums [D3]; in mode `hnsw` from an even sample. */
  readonly mean: number
  readonly deviation: number
}
