/** The entry `scrubjay/testing`: test cases and random input for other implementations. Works with any test runner. */
export { type Arbitraries, arbitraries } from './arbitraries.ts'
export { type ContractCase, runContract } from './contract.ts'
export { type CreateEmbedder, embedderContract } from './embedder-contract.ts'
export { type CreateExtract, extractorContract } from './extractor-contract.ts'
export { type OpenEmptyRecall, recallContract } from './recall-contract.ts'
export {
  type OpenStore,
  storageContract,
  type TestedDatabase,
  type TestedRow,
  type TestedStorage,
} from './storage-contract.ts'
