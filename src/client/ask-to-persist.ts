/**
 * Asks the browser, once per page and not before something is worth keeping, not to evict this origin's storage. Some
 * browsers ask the person in turn; what came of it stands in `status().persisted`.
 */

let isAsked = false

/** Does nothing where there is nobody to ask. */
export function askToPersist(): void {
  if (isAsked) return
  isAsked = true
  // Refused or not to be had: both are in the status.
  globalThis.navigator?.storage?.persist?.().catch(() => undefined)
}
