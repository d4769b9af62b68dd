/** Updates the vector index after a commit, and reports changed records to listeners. */

import type { Committed } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'

export function applyToIndex({ index, invalidateDerived }: Ports, committed: Committed): void {
  if (committed.isBehind) return invalidateDerived()
  try {
    for (const key of committed.removed) index?.remove(key)
    for (const { key, codes } of committed.added) if (codes.length > 0) index?.add(key, codes)
  } catch {
    // The kernel's memory could not grow. The rows are committed, so the write must not seem to fail.
    invalidateDerived()
  }
}

export function tellChanged({ emit }: Ports, { changed, revision }: Committed): void {
  if (changed.length > 0) emit({ type: 'changed', revision, ids: changed })
}
