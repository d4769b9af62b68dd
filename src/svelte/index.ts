/** The entry `scrubjay/svelte`: stores of Svelte. The app installs Svelte 5. */
export { type LiveAnswer, type LiveStore, liveRecall } from './live-recall.ts'
export { type OpenedStore, openedStore } from './opened-store.ts'
