/** Notes that an import limited authority tiers in this store, so that its exports say so. */
import { type Database, first } from '../../sqlite/database.ts'
import type { ImportRequest } from '../port/transfer.ts'

/** Whether an import limited tiers in this store (`tiersAreHeld`); exports pass it on. */
export function tiersAreHeld(database: Database): boolean {
  return first(database, `SELECT value FROM settings WHERE name = 'tiersAreHeld'`, [], (row) => row.number(0)) === 1
}

/** To be called inside the transaction that applies an import. */
export function noteHeldTiers(database: Database, { mode, staged }: Pick<ImportRequest, 'mode' | 'staged'>): void {
  if (staged.header.tiersAreHeld) database.execute(`INSERT OR REPLACE INTO settings VALUES ('tiersAreHeld', 1)`)
  else if (mode === 'replace') database.execute(`DELETE FROM settings WHERE name = 'tiersAreHeld'`)
}
