/** Reads and writes proposals: records that were pushed and wait for an outcome, each in the scope where it was pushed. */
import type { Proposal } from '../../../src/core/model/learned.ts'
import { all, type Database } from '../../sqlite/database.ts'

/** Proposals made after `after` (ms), oldest first. `scope`: null means all. */
export function readProposals(database: Database, scope: string | null, after: number): Proposal[] {
  const where = scope === null ? '' : 'AND scope = ?'
  return readWhere(database, `p.created_at > ? ${where}`, scope === null ? [after] : [after, scope])
}

/** Proposing a record again in the same scope renews its time. */
export function writeProposal(
  database: Database,
  proposal: { readonly scope: string; readonly key: number; readonly at: number; readonly reason: string },
): void {
  database.execute(
    `INSERT INTO proposals VALUES (?, ?, ?, ?)
      ON CONFLICT (scope, key) DO UPDATE SET created_at = excluded.created_at, reason = excluded.reason`,
    [proposal.scope, proposal.key, proposal.at, proposal.reason],
  )
}

/** Returns the scopes in which the record was proposed. */
export function removeProposals(database: Database, key: number): string[] {
  const scopes = all(database, `SELECT scope FROM proposals WHERE key = ? ORDER BY scope`, [key], (row) => row.text(0))
  if (scopes.length > 0) database.execute(`DELETE FROM proposals WHERE key = ?`, [key])
  return scopes
}

export function removeExpired(database: Database, until: number): Proposal[] {
  const expired = readWhere(database, 'p.created_at <= ?', [until])
  if (expired.length > 0) database.execute(`DELETE FROM proposals WHERE created_at <= ?`, [until])
  return expired
}

function readWhere(database: Database, condition: string, bind: readonly (string | number)[]): Proposal[] {
  return all(
    database,
    `SELECT records.id, p.scope, p.reason, p.created_at FROM proposals p JOIN records ON records.key = p.key
      WHERE ${condition} ORDER BY p.created_at, p.scope, records.id`,
    bind,
    (row) => ({ id: row.text(0), scope: row.text(1), reason: row.text(2), createdAt: row.number(3) }),
  )
}
