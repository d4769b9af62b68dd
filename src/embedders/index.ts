/** The entry `scrubjay/embedders`. */
export type { BuiltInEmbedder, Embedder } from '../protocol/embedder.ts'
export { type HttpEmbedderOptions, httpEmbedder } from './http-embedder.ts'
export { type ConvertOptions, convertModel, type ModelSource } from './model-file/convert-model.ts'
export { precomputed } from './precomputed.ts'
export { type SemanticEmbedder, type SemanticEmbedderOptions, semanticEmbedder } from './semantic-embedder.ts'
export type { SemanticModel, SemanticModels, SemanticResult } from './semantic-interface.ts'
export { type StaticEmbedderOptions, staticEmbedder } from './static-embedder.ts'
export {
  type Device,
  type Dtype,
  type LoadProgress,
  type TransformersEmbedder,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from './transformers-embedder.ts'
