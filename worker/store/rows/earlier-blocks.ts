/** Reads what an export says of versions and learned state from the tables of migrations 1 to 9, for salvage: migrating a damaged store could fail. */
import { earlierReports, earlierStamp, withStamps } from '../../../src/core/merge/earlier-learned.ts'
import { portableReports } from '../../../src/core/merge/portable-reports.ts'
import { stampFrom, unstamped } from '../../../src/core/merge/portable-stamp.ts'
import { type PortableBlock, type PortableFile, withStarts } from '../../export-format/block.ts'
import { portablePrediction } from '../../export-format/learned.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { readUnstamped } from './learned/earlier-rows.ts'
import { toFile } from './file-states.ts'
import { readGivenCycles, readLearned } from './learned/learned-rows.ts'

/** Since migration 6. */
export function readEarlierVersion(database: Database, key: number): Partial<PortableBlock> {
  const sql = `SELECT life, stamp_at, stamp_count, stamp_device FROM records WHERE key = ?`
  const version = first(database, sql, [key], (row): Partial<PortableBlock> => {
    const [life, at] = [row.number(0), row.numberOrNull(1)]
    return {
      ...(life === 0 ? {} : { life }),
      ...(at === null ? {} : { stamp: [at, row.number(2), row.text(3)] }),
    }
  })
  return version ?? {}
}

/** `version`: the fields read from the version. */
export function readEarlierLearned(
  database: Database,
  key: number,
  version: Partial<PortableBlock>,
): Partial<PortableBlock> {
  const updatedAt = first(database, `SELECT updated_at FROM records WHERE key = ?`, [key], (row) => row.number(0)) ?? 0
  const stamp = version.stamp === undefined ? unstamped(updatedAt) : stampFrom(version.stamp)
  const learned = readLearned(database, key)
  const given = readGivenCycles(database, key)
  const reports = earlierReports(learned, stamp)
  const predictions = withStamps(readUnstamped(database, key, 'predictions'))
  const proposals = all(
    database,
    `SELECT scope, created_at, reason FROM proposals WHERE key = ? ORDER BY scope`,
    [key],
    (row) => ({ scope: row.text(0), createdAt: row.number(1), reason: row.text(2) }),
  )
  return {
    ...withStarts(
      learned.amplitudes.map((amplitude, i) =>
        amplitude === given[i]?.amplitude ? null : { amplitude, stamp: earlierStamp(stamp) },
      ),
    ),
    ...(reports.length === 0 ? {} : { reports: portableReports(reports) }),
    ...(predictions.length === 0 ? {} : { predictions: predictions.map(portablePrediction) }),
    ...(proposals.length === 0 ? {} : { proposals }),
  }
}

export function readEarlierFiles(database: Database): readonly PortableFile[] {
  return all(database, `SELECT path, present, sha256, mtime, git, seen_at FROM file_states ORDER BY path`, [], toFile)
}
