/** What follows a commit, whichever method made it: the index first, then durability, then whoever listens. */

import type { Committed } from '../../store/port/committed.ts'
import { applyToIndex, tellChanged } from './apply-to-index.ts'
import type { Ports } from './ports.ts'

/** Resolves when the commit is durable and was told of. Room that is free since goes back behind it. */
export async function settle(ports: Ports, committed: Committed): Promise<void> {
  applyToIndex(ports, committed)
  // More changed than was new: some text was replaced, or removed.
  if (committed.removed.length > 0 || committed.changed.length > committed.added.length) ports.erasure.due()
  ports.storage.giveBack?.()
  await ports.storage.flush?.()
  ports.storage.acknowledged?.note(committed.revision)
  tellChanged(ports, committed)
}
