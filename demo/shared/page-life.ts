/**
 * Detects which pages of this app are closed. Each page has an id and holds a Web Lock of that name. The browser releases the
 * lock when the page closes or crashes; then another page can finish the work that this one left.
 */

export const pageId: string = crypto.randomUUID()

/** Web Locks are missing at `http:` addresses other than localhost. There, every other page counts as closed. */
const locks = typeof navigator === 'object' && 'locks' in navigator ? navigator.locks : null

void locks?.request(lockOf(pageId), () => new Promise<never>(() => {}))

/** Calls `run` as soon as the page of that id is closed. */
export async function whenGone(id: string, run: () => Promise<void>): Promise<void> {
  await (locks === null ? run() : locks.request(lockOf(id), run))
}

/** Waits for all of them, but at most `longestWaitMs`, because pages may stay open. */
export async function settleSoon(waits: readonly Promise<void>[]): Promise<void> {
  await Promise.race([Promise.all(waits), new Promise((done) => setTimeout(done, longestWaitMs))])
}

/** Enough for a page that is being reloaded: its lock is released within a few milliseconds. */
const longestWaitMs = 500

function lockOf(id: string): string {
  return `scrubjay-page:${id}`
}
