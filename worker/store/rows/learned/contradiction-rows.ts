/**
 * Reads and writes pairs of records that seem to contradict each other: `key` is the later one, `other` the earlier one. A pair belongs to
 * the versions of both. A settled one stays without its reason, so that no merge proposes it again. `settled`: 1, or 2 if both are right.
 */
import { compareCodePoints } from '../../../../src/core/text/hash/code-point-order.ts'
import type { PortableContradiction } from '../../../export-format/contradictions.ts'
import { all, type Database, first } from '../../../sqlite/database.ts'
import type { StoredContradiction } from '../../port/learning.ts'

/** The pairs of two active records that wait to be settled, oldest first, then by both ids. */
function readContradictions(database: Database): readonly StoredContradiction[] {
  return all(
    database,
    `SELECT a.id, b.id, c.reason, c.created_at, a.project, a.agent, a.bank FROM contradictions c
      JOIN records a ON a.key = c.key JOIN records b ON b.key = c.other
      WHERE c.settled = 0 AND a.status = 'active' AND b.status = 'active' ORDER BY c.created_at, a.id, b.id`,
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

/** The pairs of which both are right, by id. */
function readAgreements(database: Database): readonly (readonly [string, string])[] {
  return all(
    database,
    `SELECT a.id, b.id FROM contradictions c JOIN records a ON a.key = c.key JOIN records b ON b.key = c.other
      WHERE c.settled = 2 ORDER BY a.id, b.id`,
    [],
    (row) => [row.text(0), row.text(1)] as const,
  )
}

/** Returns functions that read the pairs once in each revision. */
export function contradictionsByRevision(database: Database, revision: () => number) {
  const once = <T>(read: (database: Database) => T) => {
    let known: { readonly revision: number; readonly pairs: T } | null = null
    return () => {
      if (known?.revision !== revision()) known = { revision: revision(), pairs: read(database) }
      return known.pairs
    }
  }
  return { contradictions: once(readContradictions), agreements: once(readAgreements) }
}

/** The pairs of a record with records of smaller ids, so that each pair is exported once. */
export function readPortableContradictions(database: Database, key: number, own: string): PortableContradiction[] {
  return all(
    database,
    `SELECT r.id, c.key, c.created_at, c.reason, c.settled FROM (
        SELECT * FROM contradictions WHERE key = ?1 UNION ALL SELECT * FROM contradictions WHERE other = ?1) c
      JOIN records r ON r.key = c.key + c.other - ?1`,
    [key],
    (row): PortableContradiction => ({
      id: row.text(0),
      isLater: row.number(1) === key,
      createdAt: row.number(2),
      ...(row.number(4) === 0 ? { reason: row.text(3) } : {}),
      ...(row.number(4) === bothRight ? { bothRight: true } : {}),
    }),
  )
    .filter(({ id }) => compareCodePoints(id, own) < 0)
    .sort((a, b) => compareCodePoints(a.id, b.id) || Number(a.isLater) - Number(b.isLater))
}

interface Pair {
  readonly key: number
  readonly other: number
  readonly at: number
  /** Null: it is settled. */
  readonly reason: string | null
  readonly bothRight?: boolean | undefined
}

const bothRight = 2

function settledOf(pair: Pick<Pair, 'reason' | 'bothRight'>): number {
  if (pair.reason !== null) return 0
  return pair.bothRight === true ? bothRight : 1
}

/** Proposing a pair again renews its reason and keeps its time. A settled one stays settled. */
export function writeContradiction(database: Database, pair: Pair): void {
  const { key, other, at, reason } = pair
  database.execute(
    `INSERT INTO contradictions VALUES (?, ?, ?, ?, ?) ON CONFLICT (key, other) DO UPDATE SET reason = excluded.reason
      WHERE settled = 0`,
    [key, other, at, reason ?? '', settledOf(pair)],
  )
}

/** Merges a pair of another device: both right wins, then settled, then the earlier time, then the smaller reason. Returns whether anything changed. */
export function mergeContradiction(database: Database, pair: Pair): boolean {
  const { key, other, at, reason } = pair
  const own = first(
    database,
    `SELECT created_at, reason, settled FROM contradictions WHERE key = ? AND other = ?`,
    [key, other],
    (row) => ({ at: row.number(0), reason: row.number(2) === 0 ? row.text(1) : null, settled: row.number(2) }),
  )
  if (own === undefined) {
    writeContradiction(database, pair)
    return true
  }
  const merged = earlier(own, { at, reason })
  const settled = Math.max(own.settled, settledOf(pair))
  if (merged.at === own.at && merged.reason === own.reason && settled === own.settled) return false
  database.execute(`UPDATE contradictions SET created_at = ?, reason = ?, settled = ? WHERE key = ? AND other = ?`, [
    merged.at,
    merged.reason ?? '',
    settled,
    key,
    other,
  ])
  return true
}

type State = Pick<Pair, 'at' | 'reason'>

function earlier(a: State, b: State): State {
  const at = Math.min(a.at, b.at)
  if (a.reason === null || b.reason === null) return { at, reason: null }
  if (a.at !== b.at) return a.at < b.at ? a : b
  return compareCodePoints(a.reason, b.reason) <= 0 ? a : b
}

/** Marks the pairs of a record on either side. */
export function settleContradictions(database: Database, key: number, isRight: boolean): void {
  for (const side of ['key', 'other'])
    database.execute(`UPDATE contradictions SET settled = max(settled, ?), reason = '' WHERE ${side} = ?`, [
      isRight ? bothRight : 1,
      key,
    ])
}

/** Removes the pairs of a record on either side. */
export function removeContradictions(database: Database, key: number): void {
  for (const side of ['key', 'other']) database.execute(`DELETE FROM contradictions WHERE ${side} = ?`, [key])
}
