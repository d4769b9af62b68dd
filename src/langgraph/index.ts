/** The entry `scrubjay/langgraph`: a `BaseStore` for LangGraph over a store. The app installs `@langchain/langgraph-checkpoint`. */
export { type ItemStore, RecallStore, type RecallStoreOptions } from './recall-store.ts'
