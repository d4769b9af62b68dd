/** Reads and writes predictions: what a record was expected to bring, and the error. A record has at most one open prediction. */
import type { TimedError } from '../../../../src/core/learning/summarise-errors.ts'
import { type PortableStamp, portableStamp, stampFrom } from '../../../../src/core/merge/portable-stamp.ts'
import type { Prediction } from '../../../../src/core/merge/predictions.ts'
import type { Stamp } from '../../../../src/core/merge/stamp.ts'
import type { PredictionFilter } from '../../../../src/core/model/learned.ts'
import { all, type BindValue, type Database, first } from '../../../sqlite/database.ts'

/** The expected value of the open prediction, as JSON. */
export function readOpenPrediction(database: Database, key: number): { readonly expected: string } | undefined {
  return first(database, `SELECT expected FROM predictions WHERE key = ? AND resolved_at IS NULL`, [key], (row) => ({
    expected: row.text(0),
  }))
}

/** Opens a prediction; replaces an open one. */
export function writePrediction(database: Database, key: number, at: number, expected: string, made: Stamp): void {
  database.execute(`DELETE FROM predictions WHERE key = ? AND resolved_at IS NULL`, [key])
  insertPrediction(database, key, {
    made,
    createdAt: at,
    expected,
    actual: null,
    error: null,
    resolvedAt: null,
    resolvedBy: null,
  })
}

/** Resolves the open prediction. */
export function writeResolution(
  database: Database,
  key: number,
  { actual, error, at, stamp }: Readonly<{ actual: string | null; error: number; at: number; stamp: Stamp }>,
): void {
  database.execute(
    `UPDATE predictions SET actual = ?, error = ?, resolved_at = ?, resolved_by = ? WHERE key = ? AND resolved_at IS NULL`,
    [actual, error, at, JSON.stringify(portableStamp(stamp)), key],
  )
}

/** By the stamps of their `predict`. */
export function readPredictions(database: Database, key: number): Prediction[] {
  return all(
    database,
    `SELECT made_at, made_count, made_device, created_at, expected, actual, error, resolved_at, resolved_by FROM predictions
      WHERE key = ? ORDER BY made_at, made_count, made_device`,
    [key],
    (row) => {
      const resolvedBy = row.textOrNull(8)
      return {
        made: { at: row.number(0), count: row.number(1), device: row.text(2) },
        createdAt: row.number(3),
        expected: row.text(4),
        actual: row.textOrNull(5),
        error: row.numberOrNull(6),
        resolvedAt: row.numberOrNull(7),
        resolvedBy: resolvedBy === null ? null : stampFrom(JSON.parse(resolvedBy) as PortableStamp),
      }
    },
  )
}

/** Replaces the predictions of a record. */
export function writePredictions(database: Database, key: number, predictions: readonly Prediction[]): void {
  database.execute(`DELETE FROM predictions WHERE key = ?`, [key])
  for (const prediction of predictions) insertPrediction(database, key, prediction)
}

function insertPrediction(database: Database, key: number, prediction: Prediction): void {
  const { made, createdAt, expected, actual, error, resolvedAt, resolvedBy } = prediction
  database.execute(`INSERT INTO predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    key,
    made.at,
    made.count,
    made.device,
    createdAt,
    expected,
    actual,
    error,
    resolvedAt,
    resolvedBy === null ? null : JSON.stringify(portableStamp(resolvedBy)),
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
