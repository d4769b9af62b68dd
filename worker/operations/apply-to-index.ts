/** Derived state after the truth: the vector index follows a commit, then listeners hear of it. */
import type { Ports } from '../ports.ts'
import type { Committed } from '../store/port.ts'

export function applyToIndex({ index, emit }: Ports, committed: Committed): void {
  for (const key of committed.removed) index?.remove(key)
  for (const { key, codes } of committed.added) if (codes.length > 0) index?.add(key, codes)
  if (committed.changed.length > 0) emit({ type: 'changed', revision: committed.revision, ids: committed.changed })
}
