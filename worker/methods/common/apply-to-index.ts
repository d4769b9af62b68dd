/** Derived state after the truth: the vector index follows a commit at once, listeners hear of it when it is durable. */

import type { Committed } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'

export function applyToIndex({ index, deriveAnew }: Ports, committed: Committed): void {
  if (committed.isBehind) return deriveAnew()
  try {
    for (const key of committed.removed) index?.remove(key)
    for (const { key, codes } of committed.added) if (codes.length > 0) index?.add(key, codes)
  } catch {
    // The kernel's memory could not grow: the rows are committed, so the write must not seem to have failed.
    deriveAnew()
  }
}

export function tellChanged({ emit }: Ports, { changed, revision }: Committed): void {
  if (changed.length > 0) emit({ type: 'changed', revision, ids: changed })
}
