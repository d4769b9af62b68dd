/** Brings learned state that migration 9 and older ones kept as values into the form of reports, and gives predictions their stamps. */
import { earlierReports, earlierStamp, type Unstamped, withStamps } from '../../../../src/core/merge/earlier-learned.ts'
import { portableStamp } from '../../../../src/core/merge/portable-stamp.ts'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { all, type Database } from '../../../sqlite/database.ts'
import { readLearned } from './learned-rows.ts'
import { writePredictions } from './prediction-rows.ts'
import { stampsFrom, stampSql } from './stamp-columns.ts'

/** Inside the migration that adds the tables. Learned state itself stays, because it follows from the reports. */
export function bringIntoReports(database: Database): void {
  const records = all(
    database,
    `SELECT key, ${stampSql} FROM records WHERE key IN (SELECT key FROM learned UNION SELECT key FROM accesses
      UNION SELECT key FROM cycles WHERE amplitude <> amplitude_given)`,
    [],
    (row) => ({ key: row.number(0), stamp: stampsFrom(row, 1).stamp }),
  )
  for (const { key, stamp } of records) {
    for (const { device, summary } of earlierReports(readLearned(database, key), stamp))
      database.execute(`INSERT INTO report_summaries VALUES (?, ?, ?)`, [key, device, canonicalJson(summary)])
    database.execute(
      `UPDATE cycles SET start_amplitude = amplitude, start_stamp = ? WHERE key = ? AND amplitude <> amplitude_given`,
      [JSON.stringify(portableStamp(earlierStamp(stamp))), key],
    )
  }
  const keys = all(database, `SELECT DISTINCT key FROM unstamped`, [], (row) => row.number(0))
  for (const key of keys) writePredictions(database, key, withStamps(readUnstamped(database, key)))
  database.execute(`DROP TABLE unstamped`)
}

/** `table`: predictions as versions before 10 kept them. */
export function readUnstamped(database: Database, key: number, table = 'unstamped'): Unstamped[] {
  return all(
    database,
    `SELECT created_at, expected, actual, error, resolved_at FROM ${table} WHERE key = ? ORDER BY created_at`,
    [key],
    (row) => ({
      createdAt: row.number(0),
      expected: row.text(1),
      actual: row.textOrNull(2),
      error: row.numberOrNull(3),
      resolvedAt: row.numberOrNull(4),
    }),
  )
}
