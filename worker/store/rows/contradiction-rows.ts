/** Reads and writes pairs of records that seem to contradict each other: `key` is the later one, `other` the earlier one. */
import { all, type Database } from '../../sqlite/database.ts'
import type { StoredContradiction } from '../port/learning.ts'

/** The pairs of two active records, oldest first, then by both ids. */
export function readContradictions(database: Database): readonly StoredContradiction[] {
  return all(
    database,
    `SELECT a.id, b.id, c.reason, c.created_at, a.project, a.agent, a.bank FROM contradictions c
      JOIN records a ON a.key = c.key JOIN records b ON b.key = c.other
      WHERE a.status = 'active' AND b.status = 'active' ORDER BY c.created_at, a.id, b.id`,
    [],
    (row) => ({
      id: row.text(0),
      contradicts: row.text(1),
      reason: row.text(2),
      createdAt: row.number(3),
      project: row.textOrNull(4),
      agent: row.textOrNull(5),
      bank: row.textOrNull(6),
    }),
  )
}

/** Proposing a pair again renews its reason and keeps its time. */
export function writeContradiction(
  database: Database,
  pair: { readonly key: number; readonly other: number; readonly at: number; readonly reason: string },
): void {
  database.execute(
    `INSERT INTO contradictions VALUES (?, ?, ?, ?) ON CONFLICT (key, other) DO UPDATE SET reason = excluded.reason`,
    [pair.key, pair.other, pair.at, pair.reason],
  )
}

/** Removes the pairs of a record on either side. */
export function removeContradictions(database: Database, key: number): void {
  database.execute(`DELETE FROM contradictions WHERE key = ?`, [key])
  database.execute(`DELETE FROM contradictions WHERE other = ?`, [key])
}
