/** Extracts facts with a model of the AI SDK. The app passes `generateText`, so that its own version of the SDK is used. */
import type { Extract } from '../client/api/recall.ts'
import { factsOf, requestOf } from './facts-in-words.ts'

export interface AiSdkExtractOptions<Model> {
  /** `generateText` of the package `ai`. */
  readonly generateText: (options: {
    readonly model: Model
    readonly system: string
    readonly prompt: string
    readonly abortSignal: AbortSignal
  }) => PromiseLike<{ readonly text: string }>
  readonly model: Model
}

export function aiSdkExtract<Model>({ generateText, model }: AiSdkExtractOptions<Model>): Extract {
  return async (turns, { known, signal }) => {
    const { text } = await generateText({ model, ...requestOf(turns, known), abortSignal: signal })
    return factsOf(text, turns)
  }
}
