/**
 * Stores which operations ran, so that none runs twice. One table has two kinds of names: outcomes of receipts, kept for a month,
 * and writes by operation id with their reply, kept for a number of revisions.
 */
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { DoneOperation } from '../port/committed.ts'

/** Whether the outcome of a receipt was applied. */
export function isOperationDone(database: Database, operation: string): boolean {
  return first(database, `SELECT 1 FROM operations WHERE operation = ?`, [operation], () => true) ?? false
}

/** Stores the outcome of a receipt, and deletes those older than a month. */
export function rememberOperation(database: Database, operation: string, revision: number, at: number): void {
  database.execute(`INSERT INTO operations VALUES (?, ?, ?, '')`, [operation, revision, at])
  database.execute(`DELETE FROM operations WHERE at < ? AND operation NOT GLOB '${writePrefix}*'`, [
    at - tuning.operationMemoryMs,
  ])
}

/** Stores writes, inside the transaction that raises the store to `revision`. */
export function rememberWrites(database: Database, revision: number, done: readonly DoneOperation[]): void {
  for (const { operation, at, answer } of done) {
    database.execute(`INSERT INTO operations VALUES (?, ?, ?, ?)`, [`${writePrefix}${operation}`, revision, at, answer])
  }
  // By revision, because an app's clock may jump. The scan runs so rarely that an index by revision would not pay.
  if (revision % pruneEvery === 0) {
    database.execute(`DELETE FROM operations WHERE revision <= ? AND operation GLOB '${writePrefix}*'`, [
      revision - tuning.rememberedRevisions,
    ])
  }
}

/** The stored reply of a write; null if there is none. */
export function doneWrite(
  database: Database,
  operation: string,
): { readonly revision: number; readonly answer: string } | null {
  const sql = `SELECT revision, answer FROM operations WHERE operation = ?`
  const stored = first(database, sql, [`${writePrefix}${operation}`], (row) => ({
    revision: row.number(0),
    answer: row.text(1),
  }))
  return stored ?? null
}

const writePrefix = 'write '
const pruneEvery = 1_000
