/** The digest of vectors as it is stored: with the row of their space before it. A record without vectors yet marks the store. */
import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import { markPending } from './pending-mark.ts'
import type { WriteTarget } from './write-target.ts'

export function withSpace(
  { database, space, standIn }: WriteTarget,
  digest: string | null,
  isStandIn = false,
): string | null {
  if (digest === pendingVectors) markPending(database)
  const row = isStandIn ? standIn : space
  return digest === null || digest === pendingVectors ? digest : `${row ?? 0}:${digest}`
}
