/** The entry `scrubjay/langchain`: a retriever and a vector store for LangChain. The app installs `@langchain/core`. */
export { langchainEmbedder } from './embedder.ts'
export { RecallRetriever, type RecallRetrieverInput } from './retriever.ts'
export { RecallVectorStore, type VectorStoreRecall } from './vector-store.ts'
