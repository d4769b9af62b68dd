/** What an app may add to the engine. Pure and synchronous: the same text, the same answer, in every tab. */
export interface Extensions {
  /** Tokens of a text, as the app's model counts them. Default: `estimateTokens` of `scrubjay/core`. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** A text as it may be stored. Redacting twice must change nothing more. Default: texts are stored as they are. */
  readonly redact?: ((text: string) => string) | undefined
}
