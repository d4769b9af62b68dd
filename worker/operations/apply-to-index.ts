/** Derived state after the truth: the vector index follows a commit at once, listeners hear of it when it is durable. */
import type { Ports } from '../ports.ts'
import type { Committed } from '../store/port.ts'

export function applyToIndex({ index }: Ports, committed: Committed): void {
  for (const key of committed.removed) index?.remove(key)
  for (const { key, codes } of committed.added) if (codes.length > 0) index?.add(key, codes)
}

export function tellChanged({ emit }: Ports, { changed, revision }: Committed): void {
  if (changed.length > 0) emit({ type: 'changed', revision, ids: changed })
}
