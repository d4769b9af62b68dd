/** Functions that an app can add to the engine. They must be pure and synchronous: equal texts give equal results in every tab. */
export interface Extensions {
  /** Returns the number of tokens of a text, as the app's model counts them. Default: `estimateTokens` of `scrubjay/core`. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Returns the text that may be stored. Redacting its result again must change nothing. Default: texts are stored unchanged. */
  readonly redact?: ((text: string) => string) | undefined
}
