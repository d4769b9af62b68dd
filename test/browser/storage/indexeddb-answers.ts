/** What the page of the tests of IndexedDB answers. */

export type Answer<T> = { readonly value?: T; readonly error?: { readonly code: string; readonly message: string } }
export interface State {
  readonly ids: readonly number[]
  readonly found: number
  readonly integrity: string
}
export interface Opened {
  readonly kind: string
  readonly degraded: readonly string[]
}
export interface Scan {
  readonly found: number
  readonly keys: readonly string[]
}

/** Counts the workers that wait for the lock of a store in IndexedDB. */
export const waitingForLocks = `async () => {
  const { pending } = await navigator.locks.query()
  return pending.filter(({ name }) => name.startsWith('scrubjay-indexeddb/')).length
}`
