/**
 * Leader election: an exclusive Web Lock, never stolen, which this worker holds while it leads. The holder opens the files.
 * The file handles, not the lock, keep a second owner out. Both are released when the worker dies.
 */
import type { TabsPlatform } from './port.ts'

export interface Candidacy {
  /** Leaves the queue. Has no effect once elected. */
  withdraw(): void
  /** Resolves when the candidacy is over: withdrawn before the election, or leading has ended and the lock is free. */
  readonly over: Promise<void>
}

/**
 * Queues for the lock, and holds it until `lead` settles. If the browser refuses locks, calls `lead` without a lock and
 * with the browser's reason.
 */
export function electLeader(
  lock: string,
  { locks }: TabsPlatform,
  lead: (refusal: string | null) => Promise<void>,
): Candidacy {
  const controller = new AbortController()
  const { signal } = controller
  let isElected = false
  const over = locks
    .request(lock, { mode: 'exclusive', signal }, async () => {
      isElected = true
      if (!signal.aborted) await lead(null)
    })
    .catch(async (error: unknown) => {
      if (isElected) throw error
      if (!signal.aborted) await lead(String(error))
    })
  return { withdraw: () => controller.abort(), over }
}
