/** Shortens the fields of a record for an export. */
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { RecordInput } from '../../src/core/model/record.ts'

/** Removes fields that are absent anyway, so that equal content is equal bytes. */
export function compact(record: object): RecordInput {
  const kept = Object.entries(record).filter(
    ([, value]) =>
      value !== null &&
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0) &&
      !(isPlainObject(value) && Object.keys(value).length === 0),
  )
  return Object.fromEntries(kept)
}
