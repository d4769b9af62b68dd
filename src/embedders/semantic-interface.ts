/** The part of the proposed interface `SemanticEmbedder` that is used (github.com/webmachinelearning/proposals, issue 18). */

export interface SemanticModels {
  /** `available`, `downloadable`, `downloading` or `unavailable`. */
  availability(): Promise<string>
  create(options: {
    readonly signal?: AbortSignal | undefined
    readonly monitor?: ((events: Pick<EventTarget, 'addEventListener'>) => void) | undefined
  }): Promise<SemanticModel>
}

export interface SemanticModel {
  embed(
    texts: string[],
    options?: { readonly taskType?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<SemanticResult>
  destroy?(): void
}

export interface SemanticResult {
  readonly embeddings: readonly { readonly values: Float32Array }[]
  readonly metadata?: { readonly embeddingSpace?: string | undefined } | undefined
}
