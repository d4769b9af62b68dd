/** Extracts facts with the language model that is built into the browser (the Prompt API). Nothing leaves the device. */
import type { Extract } from '../client/api/recall.ts'
import { recallError } from '../core/model/errors.ts'
import { answerSchema, factsOf, requestOf } from './facts-in-words.ts'

/** The part of the Prompt API that is used. */
export interface BuiltInModel {
  availability(options: object): Promise<string>
  create(options: {
    readonly initialPrompts: readonly { readonly role: 'system'; readonly content: string }[]
    readonly expectedInputs: readonly { readonly type: 'text'; readonly languages: readonly string[] }[]
    readonly expectedOutputs: readonly { readonly type: 'text'; readonly languages: readonly string[] }[]
    readonly signal: AbortSignal
  }): Promise<{
    prompt(
      text: string,
      options: { readonly responseConstraint: object; readonly signal: AbortSignal },
    ): Promise<string>
    destroy(): void
  }>
}

export interface BuiltInExtractOptions {
  /** Languages of the turns, as BCP 47 tags. Default `['en']`. */
  readonly languages?: readonly string[] | undefined
  /** Default: `LanguageModel` of the page. */
  readonly languageModel?: BuiltInModel | undefined
}

/** The extractor rejects with `INVALID_CONFIG` where the browser has no model, or has to download it first. */
export function builtInExtract({ languages = ['en'], languageModel }: BuiltInExtractOptions = {}): Extract {
  return async (turns, { known, signal }) => {
    const model = languageModel ?? (globalThis as { readonly LanguageModel?: BuiltInModel }).LanguageModel
    const text = [{ type: 'text' as const, languages }]
    const expected = { expectedInputs: text, expectedOutputs: text }
    const state = model === undefined ? 'unavailable' : await model.availability(expected)
    if (model === undefined || state !== 'available')
      throw recallError('INVALID_CONFIG', `must be available, the browser says "${state}"`, {
        field: 'extract.languageModel',
        hint: 'Call LanguageModel.create() after a press of the person, which downloads the model; or use another extractor.',
      })
    const { system, prompt } = requestOf(turns, known)
    const session = await model.create({ initialPrompts: [{ role: 'system', content: system }], ...expected, signal })
    try {
      return factsOf(await session.prompt(prompt, { responseConstraint: answerSchema, signal }), turns)
    } finally {
      session.destroy()
    }
  }
}
