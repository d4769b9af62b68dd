/** The entry `scrubjay/extract`: extractors for `remember(messages, { extract })`, which read facts in chat turns with a language model. */
export { type AiSdkExtractOptions, aiSdkExtract } from './ai-sdk-extract.ts'
export { type BuiltInExtractOptions, type BuiltInModel, builtInExtract } from './built-in-extract.ts'
export { type OpenAiExtractOptions, openAiExtract } from './openai-extract.ts'
