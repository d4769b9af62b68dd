/** Types of the used part of @huggingface/transformers. The package is optional, so its own types may be missing. */

export interface TransformersLibrary {
  pipeline(task: 'feature-extraction', model: string, options: PipelineOptions): Promise<Extractor>
  readonly env: {
    allowRemoteModels: boolean
    allowLocalModels: boolean
    localModelPath: string
    remoteHost: string
    remotePathTemplate: string
    readonly backends: { readonly onnx: { readonly wasm?: { wasmPaths?: unknown } } }
  }
}

export interface PipelineOptions {
  readonly dtype: string
  readonly revision: string
  readonly device: string
  readonly progress_callback: (event: {
    readonly status: string
    readonly loaded?: number
    readonly total?: number
  }) => void
}

export interface Extractor {
  (
    texts: readonly string[],
    options: { readonly pooling: 'mean' | 'cls'; readonly normalize: true },
  ): Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>
  dispose(): Promise<unknown>
}
