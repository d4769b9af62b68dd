/** The stored version of a record, to be compared with that of an import. */
import { type FieldStamps, textStamp } from '../../../src/core/merge/field-stamps.ts'
import { unstamped } from '../../../src/core/merge/portable-stamp.ts'
import { compareStamps, type Stamp } from '../../../src/core/merge/stamp.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import { type Database, first } from '../../sqlite/database.ts'
import { fieldsFrom, type StoredStamps, stampsFrom, stampSql } from '../rows/learned/stamp-columns.ts'

export interface StoredVersion extends StoredStamps {
  readonly key: number
  readonly updatedAt: number
  readonly contentHash: string
  readonly life: number
  readonly fields: FieldStamps
}

export function storedVersion(database: Database, id: string): StoredVersion | undefined {
  return first(
    database,
    `SELECT key, updated_at, content_hash, life, fields, ${stampSql} FROM records WHERE id = ?`,
    [id],
    (row) => {
      const stamps = stampsFrom(row, 5)
      return {
        key: row.number(0),
        updatedAt: row.number(1),
        contentHash: row.text(2),
        life: row.number(3),
        fields: fieldsFrom(row.textOrNull(4), stamps.stamp),
        ...stamps,
      }
    },
  )
}

/** The stamp of an imported version; those of older versions have none. */
export function stampOf({ stamp, record }: Pick<StagedRecord, 'stamp' | 'record'>): Stamp {
  return stamp ?? unstamped(record.updatedAt)
}

export function fieldsOf(staging: Pick<StagedRecord, 'stamp' | 'record' | 'fields'>): FieldStamps {
  return staging.fields ?? { rest: stampOf(staging), named: new Map() }
}

/** Whether the store has exactly the texts that the export had. Texts that the import changed are new ones. */
export function hasSameTexts(stored: StoredVersion, staging: StagedRecord): boolean {
  return (
    staging.adapted === undefined &&
    stored.life === staging.life &&
    stored.contentHash === staging.record.contentHash &&
    compareStamps(textStamp(stored.fields), textStamp(fieldsOf(staging))) === 0
  )
}
