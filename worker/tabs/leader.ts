/**
 * The election: an exclusive Web Lock, never stolen, held by this worker as long as it leads. Whoever has it opens the
 * files, and those, not the lock, keep a second owner out. A worker that dies frees both.
 */
import type { TabsPlatform } from './port.ts'

export interface Candidacy {
  /** Leaves the queue; without effect on a reign that has begun. */
  withdraw(): void
  /** Resolves when nothing is left of it: never elected, or the reign is over and the lock free. */
  readonly over: Promise<void>
}

/** Queues for the lock; elected, holds it until `reign` settles. Reigns without one where the browser refuses locks. */
export function campaign(
  lock: string,
  { locks }: TabsPlatform,
  reign: (refusal: string | null) => Promise<void>,
): Candidacy {
  const controller = new AbortController()
  const { signal } = controller
  let isElected = false
  const over = locks
    .request(lock, { mode: 'exclusive', signal }, async () => {
      isElected = true
      if (!signal.aborted) await reign(null)
    })
    .catch(async (error: unknown) => {
      if (isElected) throw error
      if (!signal.aborted) await reign(String(error))
    })
  return { withdraw: () => controller.abort(), over }
}
