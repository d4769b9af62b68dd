import type { Embedder } from 'scrubjay/embedders'

export interface MinilmOptions {
  /** URL of the file. Default: the file of this package. Of another model than MiniLM, give `sha256` and `dimensions`, too. */
  readonly model?: URL | undefined
  /** SHA-256 of another model's file, in hex; `scrubjay convert-model` prints it. The embedding space is named after it. */
  readonly sha256?: string | undefined
  /** Dimensions of another model; `scrubjay convert-model` prints them. */
  readonly dimensions?: number | undefined
  /** Called while the file is downloaded. */
  readonly onProgress?: ((progress: { readonly loaded: number; readonly total: number | null }) => void) | undefined
  /** Starts the app's own worker, whose module is `scrubjay-minilm/worker`. Default: the package's worker. */
  readonly worker?:
    | (() => typeof globalThis extends { readonly Worker: { readonly prototype: infer Instance } } ? Instance : never)
    | undefined
}

export interface MinilmEmbedder extends Embedder {
  /** Loads the model now instead of at the first text. */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Ends the worker and frees the model. Waiting and later calls reject with `CLOSED`. */
  close(): Promise<void>
}

/** Creates the embedder. Throws `INVALID_CONFIG` for wrong options. `embed` rejects with it if the file cannot be loaded; later calls try again. */
export declare function minilmEmbedder(options?: MinilmOptions): MinilmEmbedder
