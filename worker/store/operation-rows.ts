/** What was done already and must not be done twice: remembered for a month, by name alone. */
import { tuning } from '../../src/core/model/tuning.ts'
import { type Database, first } from './database.ts'

export function isOperationDone(database: Database, operation: string): boolean {
  return first(database, `SELECT 1 FROM operations WHERE operation = ?`, [operation], () => true) ?? false
}

/** Remembers it, and lets go of what is older than a month. */
export function rememberOperation(database: Database, operation: string, revision: number, at: number): void {
  database.execute(`INSERT INTO operations VALUES (?, ?, ?, '')`, [operation, revision, at])
  database.execute(`DELETE FROM operations WHERE at < ?`, [at - tuning.operationMemoryMs])
}
