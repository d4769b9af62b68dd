/** The stored version of a record, to be compared with that of an import. */
import { compareStamps, type Stamp } from '../../../src/core/merge/stamp.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { type Database, first } from '../../sqlite/database.ts'

export interface StoredVersion {
  readonly key: number
  readonly updatedAt: number
  readonly contentHash: string
  readonly life: number
  readonly stamp: Stamp
}

export function storedVersion(database: Database, id: string): StoredVersion | undefined {
  return first(
    database,
    `SELECT key, updated_at, content_hash, life, stamp_at, stamp_count, stamp_device FROM records WHERE id = ?`,
    [id],
    (row) => ({
      key: row.number(0),
      updatedAt: row.number(1),
      contentHash: row.text(2),
      life: row.number(3),
      stamp: stampOf(
        row.numberOrNull(4) === null ? null : { at: row.number(4), count: row.number(5), device: row.text(6) },
        row.number(1),
      ),
    }),
  )
}

/** The stamp of a version; records of older versions have none. */
export function stampOf(stamp: Stamp | null, updatedAt: number): Stamp {
  return stamp ?? { at: Math.floor(updatedAt), count: 0, device: '' }
}

/** Whether the store has exactly the version that the export had. A version that the import changed is a new one. */
export function isSameVersion(stored: StoredVersion, { record, life, stamp, isAdapted }: StagedRecord): boolean {
  return (
    isAdapted !== true &&
    stored.life === life &&
    stored.contentHash === record.contentHash &&
    compareStamps(stored.stamp, stampOf(stamp, record.updatedAt)) === 0
  )
}
