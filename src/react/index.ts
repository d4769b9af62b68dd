/** The entry `scrubjay/react`: hooks. The app installs React. */
export { type Assembler, type UsedAssemble, useAssemble } from './use-assemble.ts'
export { type LiveStore, type UsedRecall, useRecall } from './use-recall.ts'
export { type UsedStore, useStore } from './use-store.ts'
