/** Reads and writes the columns of a record that say which version it is, and what its writers knew. */
import {
  type FieldStamps,
  fieldStampsFrom,
  type PortableFieldStamps,
  portableFieldStamps,
} from '../../../../src/core/merge/field-stamps.ts'
import { type PortableStamp, portableStamp, stampFrom, unstamped } from '../../../../src/core/merge/portable-stamp.ts'
import type { Stamp } from '../../../../src/core/merge/stamp.ts'
import type { Row } from '../../../sqlite/database.ts'

export interface StoredStamps {
  readonly stamp: Stamp
  readonly after: readonly Stamp[]
}

/** The columns that `stampsFrom` reads. */
export const stampSql = 'stamp_at, stamp_count, stamp_device, updated_at, after'

/** From a row that has these columns from number `at` on. Records of older versions have no stamp of their own. */
export function stampsFrom(row: Row, at: number): StoredStamps {
  const after = row.textOrNull(at + 4)
  return {
    stamp:
      row.numberOrNull(at) === null
        ? unstamped(row.number(at + 3))
        : { at: row.number(at), count: row.number(at + 1), device: row.text(at + 2) },
    after: after === null ? [] : (JSON.parse(after) as PortableStamp[]).map(stampFrom),
  }
}

/** The column `fields` of a version with this stamp. */
export function fieldsFrom(text: string | null, stamp: Stamp): FieldStamps {
  return fieldStampsFrom(text === null ? null : (JSON.parse(text) as PortableFieldStamps), stamp)
}

/** Null if all fields have the stamp of the version. */
export function fieldsText(fields: FieldStamps | null, stamp: Stamp | null): string | null {
  const portable = fields === null || stamp === null ? null : portableFieldStamps(fields, stamp)
  return portable === null ? null : JSON.stringify(portable)
}

/** Null if there are none. */
export function afterText(after: readonly Stamp[]): string | null {
  return after.length === 0 ? null : JSON.stringify(after.map(portableStamp))
}
