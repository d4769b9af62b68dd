/** The steps after each commit: update the index, make the commit durable, notify listeners. */

import type { Committed } from '../../store/port/committed.ts'
import { applyToIndex, tellChanged } from './apply-to-index.ts'
import type { Ports } from './ports.ts'

/** Resolves when the commit is durable and listeners are notified. Free pages are reclaimed after the commit. */
export async function afterCommit(ports: Ports, committed: Committed): Promise<void> {
  applyToIndex(ports, committed)
  // More records changed than were added: some text was replaced or removed.
  if (committed.removed.length > 0 || committed.changed.length > committed.added.length) ports.erasure.due()
  ports.storage.reclaimPages?.()
  await ports.storage.flush?.()
  ports.storage.acknowledged?.note(committed.revision)
  tellChanged(ports, committed)
}
