/** Type of embedders, and the name of the built-in embedder's space. */

/** Makes vectors from texts: an embedder of the app or one of `scrubjay/embedders`. */
export interface Embedder {
  /** Name of the embedding space: model, version and normalisation. Vectors of different spaces are never compared. */
  readonly space: string
  /** Length of each vector. */
  readonly dimensions: number
  /** Deadline of one call of `embed` (ms). A later answer counts as a failure, see `OpenOptions.embedderFailure`. Above 0, at most 2,147,483,647. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Makes vectors of records after `put`, in the background. Until then those of the built-in embedder take their place. `english`: only of texts that
   * are English; those of the built-in embedder stay for others. Default: `put` waits for the vectors.
   */
  readonly inBackground?: 'english' | 'every' | undefined
  /** False: the app gives all vectors itself, and records without one stay without. Default true. */
  readonly makesVectors?: boolean | undefined
  /** Sentences for `status().degraded` about capabilities that this embedder lacks. Default: none. */
  readonly degraded?: readonly string[] | undefined
  /**
   * Resolves to one vector of `dimensions` finite numbers per text, in the order of the texts. An empty array means that this embedder
   * makes no vectors; recall then uses words only. `role` says whether the texts are records or a query. `signal` is aborted with the
   * app's call and at the deadline.
   */
  embed(
    texts: readonly string[],
    role: 'query' | 'document',
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Float32Array[]>
}

/** The embedder that the engine runs itself, outside the page's thread. */
export interface BuiltInEmbedder extends Embedder {
  readonly space: typeof builtInSpace.name
  /** URL of its table. Default: the file of the package. */
  readonly table?: URL | undefined
  /** URL of its table of other languages. Default: the file next to the table. */
  readonly languages?: URL | undefined
  /** Bytes of the loaded tables; 0 before the first text. */
  bytes?(): number
}

/** Space of the table in the package. */
export const builtInSpace = Object.freeze({ name: 'minilm-static-128', dimensions: 128 })

/** Whether a store with these languages needs the built-in embedder's table of other languages. */
export function needsLanguagesTable(languages: readonly string[]): boolean {
  return languages.some((language) => language !== 'en')
}
