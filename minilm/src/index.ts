/** The entry of scrubjay-minilm. */
export { type MinilmEmbedder, type MinilmOptions, minilmEmbedder } from './minilm-embedder.ts'
