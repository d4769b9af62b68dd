/** What makes vectors from texts, and the built-in one by its space. */

/** An app's own embedder, or one of `scrubjay/embedders`. */
export interface Embedder {
  /** Names model, version and normalisation: vectors of different spaces are never compared. */
  readonly space: string
  readonly dimensions: number
  /** ms one call of `embed` may take. Default 10,000. What takes longer counts as a failure (see `OpenOptions.embedderFailure`). */
  readonly timeoutMs?: number | undefined
  /** False where the app brings every vector, and records without one are meant to have none. Default true. */
  readonly makesVectors?: boolean | undefined
  /**
   * One vector of `dimensions` finite numbers per text, in the order of the texts; an empty list means that this
   * embedder makes none. Records and queries then stay without vectors and are recalled by their words. `signal` is aborted
   * with the call of the app, and at the deadline.
   */
  embed(
    texts: readonly string[],
    role: 'query' | 'document',
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Float32Array[]>
}

/** An embedder the engine can run itself, off the page's thread. */
export interface BuiltInEmbedder extends Embedder {
  readonly space: typeof builtInSpace.name
  /** Where its table lies; absent: where the package has it. */
  readonly table?: URL | undefined
}

/** The space of the table that comes with the package. */
export const builtInSpace = Object.freeze({ name: 'minilm-static-128', dimensions: 128 })
