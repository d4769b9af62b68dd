/** Migration 12: when each field of a record was last changed, so that changes of two devices are merged by field. Null: all at the stamp of the version. */
import type { Migration } from './migration.ts'

export const fieldStamps: Migration = {
  version: 12,
  statements: () => [`ALTER TABLE records ADD COLUMN fields TEXT`],
}
