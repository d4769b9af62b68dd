/** The entry `scrubjay/vue`: composables. The app installs Vue 3. */
export { type LiveStore, type UsedRecall, useRecall } from './use-recall.ts'
export { type UsedStore, useStore } from './use-store.ts'
