/** Reads and writes proposals: records that were pushed and wait for an outcome, each in the scope where it was pushed. */
import { type PortableStamp, portableStamp, stampFrom, unstamped } from '../../../../src/core/merge/portable-stamp.ts'
import type { ScopedProposal } from '../../../../src/core/merge/proposals.ts'
import { compareStamps, type Stamp } from '../../../../src/core/merge/stamp.ts'
import type { Proposal } from '../../../../src/core/model/learned.ts'
import { all, type Database } from '../../../sqlite/database.ts'

/** Proposals made after `after` (ms), oldest first. `scope`: null means all. */
export function readProposals(database: Database, scope: string | null, after: number): Proposal[] {
  const where = scope === null ? '' : 'AND scope = ?'
  return readWhere(database, `p.created_at > ? ${where}`, scope === null ? [after] : [after, scope])
}

/** Proposing a record again in the same scope renews its time. */
export function writeProposal(database: Database, key: number, proposal: ScopedProposal): void {
  const { scope, createdAt, reason, stamp } = proposal
  database.execute(
    `INSERT OR REPLACE INTO proposals (scope, key, created_at, reason, stamp, ended) VALUES (?, ?, ?, ?, ?, ?)`,
    [
      scope,
      key,
      createdAt,
      reason ?? '',
      isUnstamped(stamp, createdAt) ? null : JSON.stringify(portableStamp(stamp)),
      reason === null ? 1 : 0,
    ],
  )
}

/** The proposals of a record by scope, with expired ones. */
export function readScopedProposals(database: Database, key: number): ScopedProposal[] {
  return all(
    database,
    `SELECT scope, created_at, reason, stamp, ended FROM proposals WHERE key = ? ORDER BY scope`,
    [key],
    (row) => {
      const [createdAt, stamp] = [row.number(1), row.textOrNull(3)]
      return {
        scope: row.text(0),
        createdAt,
        reason: row.number(4) === 1 ? null : row.text(2),
        stamp: stamp === null ? unstamped(createdAt) : stampFrom(JSON.parse(stamp) as PortableStamp),
      }
    },
  )
}

/** Replaces the proposals of a record. */
export function writeProposals(database: Database, key: number, proposals: readonly ScopedProposal[]): void {
  database.execute(`DELETE FROM proposals WHERE key = ?`, [key])
  for (const proposal of proposals) writeProposal(database, key, proposal)
}

function isUnstamped(stamp: Stamp, createdAt: number): boolean {
  return stamp.device === '' && compareStamps(stamp, unstamped(createdAt)) === 0
}

/** Returns the scopes in which the record was proposed. The outcome that calls this ends all earlier proposals, expired ones included. */
export function removeProposals(database: Database, key: number): string[] {
  const scopes = all(database, `SELECT scope FROM proposals WHERE key = ? AND ended = 0 ORDER BY scope`, [key], (row) =>
    row.text(0),
  )
  database.execute(`DELETE FROM proposals WHERE key = ?`, [key])
  return scopes
}

export function endExpired(database: Database, until: number, takeStamp: () => Stamp): Proposal[] {
  const expired = readWhere(database, 'p.created_at <= ?', [until])
  if (expired.length > 0)
    database.execute(`UPDATE proposals SET ended = 1, reason = '', stamp = ? WHERE created_at <= ? AND ended = 0`, [
      JSON.stringify(portableStamp(takeStamp())),
      until,
    ])
  return expired
}

function readWhere(database: Database, condition: string, bind: readonly (string | number)[]): Proposal[] {
  return all(
    database,
    `SELECT records.id, p.scope, p.reason, p.created_at FROM proposals p JOIN records ON records.key = p.key
      WHERE ended = 0 AND ${condition} ORDER BY p.created_at, p.scope, records.id`,
    bind,
    (row) => ({ id: row.text(0), scope: row.text(1), reason: row.text(2), createdAt: row.number(3) }),
  )
}
