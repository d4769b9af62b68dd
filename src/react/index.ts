/** The entry `scrubjay/react`: hooks. React is the app's. */
export { type Assembler, type UsedAssemble, useAssemble } from './use-assemble.ts'
export { type LiveStore, type UsedRecall, useRecall } from './use-recall.ts'
