/** The steps after each commit of records: update the index, make the commit durable, erase what it removed, notify listeners. */

import type { Committed } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'

/**
 * Resolves when the commit is durable and listeners are notified. Text that it replaced or removed leaves the journal in the background;
 * with `erases`, before this resolves.
 */
export async function afterCommit(
  ports: Ports,
  committed: Committed,
  { erases = false }: { readonly erases?: boolean } = {},
): Promise<void> {
  const { storage, erasure } = ports
  applyToIndex(ports, committed)
  storage.reclaimPages?.()
  if (erases) await erase(ports, committed)
  else {
    // More records changed than were added: some text was replaced or removed.
    if (committed.removed.length > 0 || committed.changed.length > committed.added.length) erasure.due()
    await storage.flush?.()
  }
  storage.acknowledged?.note(committed.revision)
  tellChanged(ports, committed)
}

async function erase(ports: Ports, committed: Committed): Promise<void> {
  try {
    await ports.storage.checkpoint()
  } catch (error) {
    // If only the erasing failed, the commit is durable. `ports.store`, because the store may have been rolled back.
    if (ports.store.revision() === committed.revision) {
      ports.erasure.due()
      tellChanged(ports, committed)
    }
    throw error
  }
}

function applyToIndex({ index, invalidateDerived }: Ports, committed: Committed): void {
  if (committed.isStale) return invalidateDerived()
  try {
    const encoded = committed.added.filter(({ codes }) => codes.length > 0)
    index?.replace(committed.removed, encoded)
  } catch {
    // The kernel's memory could not grow. The rows are committed, so the write must not seem to fail.
    invalidateDerived()
  }
}

function tellChanged({ emit }: Ports, { changed, revision }: Committed): void {
  if (changed.length > 0) emit({ type: 'changed', revision, ids: changed })
}
