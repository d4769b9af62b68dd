/**
 * Asks the browser not to evict this origin's storage, once per page and only after the first write. Some browsers ask the user.
 * `status().persisted` has the result.
 */

let isAsked = false

/** Does nothing if the platform has no such request. */
export function askToPersist(): void {
  if (isAsked) return
  isAsked = true
  // A refusal needs no error: the status reports it.
  globalThis.navigator?.storage?.persist?.().catch(() => undefined)
}
