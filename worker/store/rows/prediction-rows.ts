/** Reads and writes predictions: what a record was expected to bring, and the error. A record has at most one open prediction. */
import type { TimedError } from '../../../src/core/learning/summarise-errors.ts'
import type { PredictionFilter } from '../../../src/core/model/learned.ts'
import { all, type BindValue, type Database, first } from '../../sqlite/database.ts'

export function readOpenPrediction(
  database: Database,
  key: number,
): { readonly createdAt: number; readonly expected: string } | undefined {
  return first(
    database,
    `SELECT created_at, expected FROM predictions WHERE key = ? AND resolved_at IS NULL`,
    [key],
    (row) => ({ createdAt: row.number(0), expected: row.text(1) }),
  )
}

export function writePrediction(database: Database, key: number, at: number, expected: string): void {
  database.execute(`DELETE FROM predictions WHERE key = ? AND resolved_at IS NULL`, [key])
  // (key, created_at) is unique, so a prediction takes the next free millisecond.
  let createdAt = at
  while (isTaken(database, key, createdAt)) createdAt++
  database.execute(`INSERT INTO predictions (key, created_at, expected) VALUES (?, ?, ?)`, [key, createdAt, expected])
}

function isTaken(database: Database, key: number, createdAt: number): boolean {
  return (
    first(database, `SELECT 1 FROM predictions WHERE key = ? AND created_at = ?`, [key, createdAt], () => true) ?? false
  )
}

export function writeResolution(
  database: Database,
  key: number,
  createdAt: number,
  { actual, error, at }: { readonly actual: string | null; readonly error: number; readonly at: number },
): void {
  database.execute(`UPDATE predictions SET actual = ?, error = ?, resolved_at = ? WHERE key = ? AND created_at = ?`, [
    actual,
    error,
    at,
    key,
    createdAt,
  ])
}

export function readErrors(database: Database, { ids, after, before }: PredictionFilter): TimedError[] {
  const parts = ['resolved_at IS NOT NULL']
  const bind: BindValue[] = []
  if (ids !== undefined) {
    parts.push(`key IN (SELECT key FROM records WHERE id IN (SELECT value FROM json_each(?)))`)
    bind.push(JSON.stringify(ids))
  }
  if (after !== undefined) {
    parts.push('resolved_at >= ?')
    bind.push(after)
  }
  if (before !== undefined) {
    parts.push('resolved_at < ?')
    bind.push(before)
  }
  return all(database, `SELECT error, resolved_at FROM predictions WHERE ${parts.join(' AND ')}`, bind, (row) => ({
    error: row.number(0),
    resolvedAt: row.number(1),
  }))
}
