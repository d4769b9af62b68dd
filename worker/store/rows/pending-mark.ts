/** Marks a store that has records with pending vectors, so that opening it need not read all records. */
import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { WriteTarget } from './write-target.ts'

const mark = 'pendingVectors'

/** Marks the store inside the caller's transaction when the first record becomes pending, so that an opening need not read records. */
export function markPending(database: Database): void {
  database.execute(`INSERT OR IGNORE INTO settings VALUES (?, 1)`, [mark])
}

/** Removes the mark inside the caller's transaction when the last pending record got its vectors. */
export function unmarkPending(database: Database): void {
  database.execute(`DELETE FROM settings WHERE name = ?`, [mark])
}

export function isPendingMarked(database: Database): boolean {
  return first(database, `SELECT 1 FROM settings WHERE name = ?`, [mark], () => true) === true
}

/** The digest of vectors as it is stored: with the row of their space before it. Marks the store if they are pending. */
export function withSpace(
  { database, space, standIn }: WriteTarget,
  digest: string | null,
  isStandIn = false,
): string | null {
  if (digest === pendingVectors) markPending(database)
  const row = isStandIn ? standIn : space
  return digest === null || digest === pendingVectors ? digest : `${row ?? 0}:${digest}`
}
