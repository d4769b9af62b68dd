/** The stored version of a record, to be compared with that of an import. */
import { unstamped } from '../../../src/core/merge/portable-stamp.ts'
import { compareStamps, type Stamp } from '../../../src/core/merge/stamp.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { type Database, first } from '../../sqlite/database.ts'
import { type StoredStamps, stampsFrom, stampSql } from '../rows/learned/stamp-columns.ts'

export interface StoredVersion extends StoredStamps {
  readonly key: number
  readonly updatedAt: number
  readonly contentHash: string
  readonly life: number
}

export function storedVersion(database: Database, id: string): StoredVersion | undefined {
  return first(
    database,
    `SELECT key, updated_at, content_hash, life, ${stampSql} FROM records WHERE id = ?`,
    [id],
    (row) => ({
      key: row.number(0),
      updatedAt: row.number(1),
      contentHash: row.text(2),
      life: row.number(3),
      ...stampsFrom(row, 4),
    }),
  )
}

/** The stamp of an imported version; those of older versions have none. */
export function stampOf({ stamp, record }: Pick<StagedRecord, 'stamp' | 'record'>): Stamp {
  return stamp ?? unstamped(record.updatedAt)
}

/** Whether the store has exactly the version that the export had. A version that the import changed is a new one. */
export function isSameVersion(stored: StoredVersion, staging: StagedRecord): boolean {
  return (
    staging.isAdapted !== true &&
    stored.life === staging.life &&
    stored.contentHash === staging.record.contentHash &&
    compareStamps(stored.stamp, stampOf(staging)) === 0
  )
}
