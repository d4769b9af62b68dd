/**
 * Which pages of this app are open. Each page has an id and holds a lock of that name until it is gone, also after a crash.
 * So another page learns that what this one left behind is now its own to finish.
 */

export const pageId: string = crypto.randomUUID()

/** A plain `http:` address other than localhost has no locks. Then every other page counts as gone. */
const locks = typeof navigator === 'object' && 'locks' in navigator ? navigator.locks : null

void locks?.request(lockOf(pageId), () => new Promise<never>(() => {}))

/** Runs when the page of that id is gone: now, or whenever it goes. */
export async function whenGone(id: string, run: () => Promise<void>): Promise<void> {
  await (locks === null ? run() : locks.request(lockOf(id), run))
}

/** Waits for all of them, but not for pages that stay open. */
export async function settleSoon(waits: readonly Promise<void>[]): Promise<void> {
  await Promise.race([Promise.all(waits), new Promise((done) => setTimeout(done, longestWaitMs))])
}

/** The lock of a page that is being reloaded is free within a few milliseconds. */
const longestWaitMs = 500

function lockOf(id: string): string {
  return `scrubjay-page:${id}`
}
