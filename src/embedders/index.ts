/** The entry `scrubjay/embedders`. */
export type { BuiltInEmbedder, Embedder } from '../protocol/embedder.ts'
export { precomputed } from './precomputed.ts'
export { type StaticEmbedderOptions, staticEmbedder } from './static-embedder.ts'
