/** The entry `scrubjay/react`: hooks. React is the app's. */
export { type Assembler, useAssemble, type UsedAssemble } from './use-assemble.ts'
export { type LiveStore, useRecall, type UsedRecall } from './use-recall.ts'
