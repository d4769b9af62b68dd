/** Updates the vector index after a commit, and reports changed records to listeners. */

import type { Committed } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'

export function applyToIndex({ index, invalidateDerived }: Ports, committed: Committed): void {
  if (committed.isBehind) return invalidateDerived()
  try {
    const encoded = committed.added.filter(({ codes }) => codes.length > 0)
    index?.replace(committed.removed, encoded)
  } catch {
    // The kernel's memory could not grow. The rows are committed, so the write must not seem to fail.
    invalidateDerived()
  }
}

export function tellChanged({ emit }: Ports, { changed, revision }: Committed): void {
  if (changed.length > 0) emit({ type: 'changed', revision, ids: changed })
}
