/** What follows a commit, whichever verb made it: the index first, then durability, then whoever listens. */
import type { Ports } from '../ports.ts'
import type { Committed } from '../store/committed.ts'
import { applyToIndex, tellChanged } from './apply-to-index.ts'

/** Resolves when the commit is durable and was told of. */
export async function settle(ports: Ports, committed: Committed): Promise<void> {
  applyToIndex(ports, committed)
  await ports.storage.flush?.()
  ports.storage.acknowledged?.note(committed.revision)
  tellChanged(ports, committed)
}
