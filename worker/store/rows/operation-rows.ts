/**
 * What was done already and must not be done twice, in one table with two kinds of names: outcomes of receipts, kept for a
 * month, and writes by their operation id with what they answered, kept for so many revisions.
 */
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { DoneOperation } from '../port/committed.ts'

/** Of a receipt's outcome. */
export function isOperationDone(database: Database, operation: string): boolean {
  return first(database, `SELECT 1 FROM operations WHERE operation = ?`, [operation], () => true) ?? false
}

/** Remembers it, and lets go of what is older than a month. */
export function rememberOperation(database: Database, operation: string, revision: number, at: number): void {
  database.execute(`INSERT INTO operations VALUES (?, ?, ?, '')`, [operation, revision, at])
  database.execute(`DELETE FROM operations WHERE at < ? AND operation NOT GLOB '${writePrefix}*'`, [
    at - tuning.operationMemoryMs,
  ])
}

/** Writes, inside the transaction that brings the store to `revision`. */
export function rememberWrites(database: Database, revision: number, done: readonly DoneOperation[]): void {
  for (const { operation, at, answer } of done) {
    database.execute(`INSERT INTO operations VALUES (?, ?, ?, ?)`, [`${writePrefix}${operation}`, revision, at, answer])
  }
  // Not by time: an app's clock may jump. No index by revision is worth one scan in so many commits.
  if (revision % pruneEvery === 0) {
    database.execute(`DELETE FROM operations WHERE revision <= ? AND operation GLOB '${writePrefix}*'`, [
      revision - tuning.rememberedRevisions,
    ])
  }
}

/** What is remembered of a write. */
export function doneWrite(
  database: Database,
  operation: string,
): { readonly revision: number; readonly answer: string } | null {
  const sql = `SELECT revision, answer FROM operations WHERE operation = ?`
  const found = first(database, sql, [`${writePrefix}${operation}`], (row) => ({
    revision: row.number(0),
    answer: row.text(1),
  }))
  return found ?? null
}

const writePrefix = 'write '
const pruneEvery = 1_000
