/** Reads a record before a put replaces it, to see which of its fields the put changes. */
import { contentOf } from '../../../src/core/merge/content.ts'
import type { stampsAfterPut } from '../../../src/core/merge/field-stamps.ts'
import type { Database } from '../../sqlite/database.ts'
import type { CycleRow } from './learned/learned-rows.ts'
import { fieldsFrom, type StoredStamps } from './learned/stamp-columns.ts'
import { readRecord } from './read-records.ts'

/** Null if its row is damaged: then the put changes all fields. */
export function readBefore(
  database: Database,
  { key, fields, stamp }: Pick<StoredStamps, 'stamp'> & { readonly key: number; readonly fields: string | null },
  rows: readonly CycleRow[],
): Parameters<typeof stampsAfterPut>[0] | null {
  const cycles = rows.map(({ given: amplitude, periodSeconds, phaseSeconds }) => ({
    periodSeconds,
    amplitude,
    phaseSeconds,
  }))
  try {
    const content = contentOf({ ...readRecord(database, key)!, cycles })
    return { content, stamps: fieldsFrom(fields, stamp) }
  } catch {
    return null
  }
}
