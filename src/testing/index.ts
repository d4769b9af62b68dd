/** The entry `scrubjay/testing`: promises as test cases, for what others write. It needs no test runner. */
export { type Arbitraries, arbitraries } from './arbitraries.ts'
export { type ContractCase, runContract } from './contract.ts'
export { type CreateEmbedder, embedderContract } from './embedder-contract.ts'
export { type OpenEmptyRecall, recallContract } from './recall-contract.ts'
export {
  type OpenStore,
  storageContract,
  type TestedDatabase,
  type TestedRow,
  type TestedStorage,
} from './storage-contract.ts'
